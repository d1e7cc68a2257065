// Compacts a session in a process of its own, and kills it with SIGKILL at the nth write of the log: right before it, or
// right after it was acknowledged.
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { openSession } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';

const [file, when, writes] = process.argv.slice(2) as [string, 'before' | 'after', string];

function dying(store: Store): Store {
  let left = Number(writes);
  const die = () => process.kill(process.pid, 'SIGKILL');
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name !== 'append') return member.bind(target);
      return async (...args: unknown[]) => {
        left--;
        if (when === 'before' && left === 0) die();
        const written = await member.apply(target, args);
        if (when === 'after' && left === 0) die();
        return written;
      };
    },
  });
}

const store = await openSqliteStore(file);
const session = await openSession(dying(store), 's', { owner: 'dying' });
await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 2 } } });
await session.close();
await store[Symbol.asyncDispose]();
