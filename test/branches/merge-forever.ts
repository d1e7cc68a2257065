// Says something in a branch and merges it, again and again until killed. Prints a merge only after it is acknowledged.
import { writeSync } from 'node:fs';
import { mergeBranch, openSession } from '../../src/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { assistant, user } from '../../src/testing/index.ts';

const [file] = process.argv.slice(2) as [string];
const store = await openSqliteStore(file);
const main = await openSession(store, 'main');
const disk = await openSession(store, 'disk');
for (let count = 0; ; count++) {
  await disk.append([
    user(`Please try option ${count}.`),
    assistant(`We decided to keep option ${count} of ${process.pid}.`),
  ]);
  const { entry } = await mergeBranch(main, disk.info, { rule: 'both' });
  if (entry) writeSync(1, `merged ${entry.id}\n`);
}
