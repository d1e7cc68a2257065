// Leaves sessions and the store open, watches nothing any more and has nothing left to do: it should end by itself.

import { isThroughlineError } from '../../src/errors.ts';
import { createSession, openSession, watchSession } from '../../src/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { user } from '../../src/testing/index.ts';
import { refusingAppends } from './store-doubles.ts';

const [file] = process.argv.slice(2) as [string];
const store = await openSqliteStore(file);
const session = await createSession(store, { id: 'open' });
await session.append([user('said')]);
await store.create({ id: 'unsaved' });
const { store: full } = refusingAppends(store, { left: Number.POSITIVE_INFINITY });
const unsaved = await openSession(full, 'unsaved');
await unsaved.append([user('not written')]).catch((error) => {
  if (!isThroughlineError(error, 'not-saved')) throw error;
});
const abort = new AbortController();
const watching = watchSession(store, 'open', { signal: abort.signal });
await watching.next();
void watching.next();
abort.abort();
console.log('nothing left to do');
