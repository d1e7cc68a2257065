// Runs the rehearsed turn in a process of its own, and kills it with SIGKILL right after the nth write of the log was
// acknowledged; or in the middle of an answer, after what there was of it was flushed.
import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../../src/store/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { effectsIn, rehearse } from './rehearsed-turn.ts';
import { scriptedModel } from './scripted-model.ts';

const [file, effects, when] = process.argv.slice(2) as [string, string, string];
const die = () => process.kill(process.pid, 'SIGKILL');

/** The store, with a process that dies after so many writes. */
function dyingAfter(store: Store, writes: number): Store {
  let left = writes;
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name !== 'append') return member.bind(target);
      return async (...args: unknown[]) => {
        const written = await member.apply(target, args);
        if (--left === 0) die();
        return written;
      };
    },
  });
}

const store = await openSqliteStore(file);
if (when === 'streaming') {
  const model = scriptedModel([
    { text: `${'word '.repeat(1_000)}${'never '.repeat(900)}`, accident: 'hang', onHalf: diesOnceFlushed },
  ]);
  await rehearse(store, effectsIn(effects), { model });
} else if (when === 'painting') {
  await rehearse(store, (coat) => {
    effectsIn(effects)(coat);
    die();
  });
} else {
  await rehearse(dyingAfter(store, Number(when)), effectsIn(effects));
}

/** Looks with a connection of its own, so that what it sees is on disk. */
async function diesOnceFlushed(): Promise<void> {
  await using other = await openSqliteStore(file);
  while ((await other.read('s')).length < 2) await wait(5);
  die();
}
