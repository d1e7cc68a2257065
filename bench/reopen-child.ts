// In a process of its own: opens a store and reads what a context is made from, then says how long that took. With the
// built package, as users have it.
import { openRawLog } from './raw-log.ts';

const [kind, file, position] = process.argv.slice(2) as ['raw' | 'ours', string, string];
const reopen = kind === 'raw' ? rawReopen() : await ourReopen();
globalThis.gc?.();
const before = process.memoryUsage().rss;
const start = performance.now();
const entries = await reopen();
const ms = performance.now() - start;
console.log(JSON.stringify({ ms, entries, rss: (process.memoryUsage().rss - before) / 2 ** 20 }));
process.exit(0);

function rawReopen() {
  return () => {
    const raw = openRawLog(file, 'normal');
    return [raw.one(Number(position)), ...raw.tail(30)].length;
  };
}

async function ourReopen() {
  const { openSession, readFrontier } = await import('throughline');
  const { openSqliteStore } = await import('throughline/sqlite');
  return async () => {
    const store = await openSqliteStore(file, { durability: 'normal' });
    const session = await openSession(store, 'long', { mode: 'read' });
    return (await readFrontier(store, session.info)).length;
  };
}
