// Loaded before the program: it counts what is committed to the store, and dies by SIGKILL right after the commit that
// DIE_AFTER names. Without a number it says at the end how many there were.
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const { DIE_AFTER, COUNT_IN } = process.env;
const prepare = DatabaseSync.prototype.prepare;
let commits = 0;

DatabaseSync.prototype.prepare = function (sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest);
  if (sql !== 'commit') return statement;
  const run = statement.run.bind(statement);
  statement.run = () => {
    const result = run();
    if (++commits === Number(DIE_AFTER)) process.kill(process.pid, 'SIGKILL');
    return result;
  };
  return statement;
};

process.on('exit', () => {
  if (COUNT_IN) writeFileSync(COUNT_IN, String(commits));
});
