// In a process of its own: opens a store and reads what a context is made from, then says how long that took.
import { openSession, readFrontier } from '../src/index.ts';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { openRawLog } from './raw-log.ts';

const [kind, file, position] = process.argv.slice(2) as ['raw' | 'ours', string, string];
globalThis.gc?.();
const before = process.memoryUsage().rss;
const start = performance.now();
let entries = 0;
if (kind === 'raw') {
  const raw = openRawLog(file, 'normal');
  entries = [raw.one(Number(position)), ...raw.tail(30)].length;
} else {
  const store = await openSqliteStore(file, { durability: 'normal' });
  const session = await openSession(store, 'long', { mode: 'read' });
  entries = (await readFrontier(store, session.info)).length;
}
const ms = performance.now() - start;
console.log(JSON.stringify({ ms, entries, rss: (process.memoryUsage().rss - before) / 2 ** 20 }));
process.exit(0);
