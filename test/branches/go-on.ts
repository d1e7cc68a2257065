// Goes on from the newest entry of a session once it is told to, and prints where that ended up.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { appendAfter, newEntryId, type OnHeadMoved, openSession } from '../../src/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { assistant, user } from '../../src/testing/index.ts';

const [file, name, onHeadMoved, rounds] = process.argv.slice(2) as [string, string, OnHeadMoved, string];
await using store = await openSqliteStore(file);
for (let round = 0; round < Number(rounds); round++) {
  const session = await openSession(store, `shared-${round}`, { mode: 'join' });
  const expectedHead = session.info.head;
  writeSync(1, `ready ${round} ${expectedHead}\n`);
  // Both have read the same head before either of them writes.
  await once(process, 'message');
  const entries = [
    { id: newEntryId(), body: user(`${name} asks`) },
    { id: newEntryId(), body: assistant(`${name} answers`) },
  ];
  const landed = await appendAfter(session, entries, { expectedHead, onHeadMoved }).catch((error) => {
    writeSync(1, `landed ${round} ${error.code}\n`);
  });
  if (landed)
    writeSync(
      1,
      `landed ${round} ${landed.outcome} ${landed.session.id} ${entries.map(({ id }) => id).join(' ')}\n`,
    );
}
process.disconnect();
