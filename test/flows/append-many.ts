// Appends a number of entries without a lease and prints the ids the store has acknowledged.
import { writeSync } from 'node:fs';
import { newEntryId } from 'throughline';
import { openSqliteStore } from 'throughline/sqlite';
import { user } from 'throughline/testing';

const [file, sessions, count, writer] = process.argv.slice(2) as [string, string, string, string];
const targets = sessions.split(',');
await using store = await openSqliteStore(file);
for (let n = 0; n < Number(count); n++) {
  const id = newEntryId();
  const session = targets[n % targets.length]!;
  await store.append(session, [{ id, body: user(`${writer} says ${n}`) }]);
  writeSync(1, `${session} ${id}\n`);
}
