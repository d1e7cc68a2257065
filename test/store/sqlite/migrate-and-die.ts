// Brings a store to a version of tomorrow, and is killed after the nth statement of that.
import { DatabaseSync } from 'node:sqlite';
import { MIGRATIONS, migrate } from '../../../src/store/sqlite/migrate.ts';

const [file, after] = process.argv.slice(2) as [string, string];
const db = new DatabaseSync(file);
const exec = db.exec.bind(db);
let left = Number(after);
db.exec = (sql) => {
  exec(sql);
  // The first opens the transaction.
  if (left-- === 0) process.kill(process.pid, 'SIGKILL');
};
migrate(db, [
  ...MIGRATIONS,
  { name: 'moods', sql: `alter table sessions add column mood text not null default 'calm'` },
  { name: 'weather', sql: 'create table weather (day text primary key); insert into weather values (1)' },
]);
process.exit(3);
