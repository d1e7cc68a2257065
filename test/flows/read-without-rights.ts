// Opens a store in a folder that it may read but not write, and one where it may not even make a folder.
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { isThroughlineError } from '../../src/errors.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { user } from '../../src/testing/index.ts';

const [folder] = process.argv.slice(2) as [string];
chmodSync(path.join(folder, 'store.db'), 0o444);
chmodSync(folder, 0o555);
// Permissions do not bind root, so root steps down; everybody else is bound already.
const stepDown = process.getuid?.() === 0;
if (stepDown) process.setuid?.(65534);
const codeOf = (error: unknown) => (isThroughlineError(error) ? error.code : String(error));
const store = await openSqliteStore(path.join(folder, 'store.db'));
console.log((await store.read('s')).length, 'entries');
await store.append('s', [{ body: user('no') }]).catch((error) => console.log(codeOf(error)));
await openSqliteStore(path.join(folder, 'new', 'store.db')).catch((error) => console.log(codeOf(error)));
if (!stepDown) chmodSync(folder, 0o755);
