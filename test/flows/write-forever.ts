// Appends to one session until killed. Prints an entry's id only after the store has acknowledged it.
import { writeSync } from 'node:fs';
import { newEntryId, openSession } from 'throughline';
import { openSqliteStore } from 'throughline/sqlite';
import { user } from 'throughline/testing';

const [file, session] = process.argv.slice(2) as [string, string];
const store = await openSqliteStore(file);
const handle = await openSession(store, session);
writeSync(1, 'ready\n');
for (let count = 0; ; count++) {
  // Every fifth append is a batch, every seventh holds a blob: a kill may fall into any of them.
  const entries = Array.from({ length: count % 5 === 4 ? 3 : 1 }, () => ({
    id: newEntryId(),
    body: user(count % 7 === 6 ? `${count} ${'long '.repeat(10_000)}` : `message ${count}`),
  }));
  await handle.append(entries);
  writeSync(1, `${entries.map(({ id }) => id).join(' ')}\n`);
}
