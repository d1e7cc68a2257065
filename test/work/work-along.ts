// Works on a task of a board until it is done, in a process of its own: `loop`, or `talk` in one session with others.
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { openWork } from '../../src/work/index.ts';
import { scriptedLoop } from './scripted-loop.ts';

const [what, file, folder, task, count] = process.argv.slice(2) as [string, string, string, string, string];
await using store = await openSqliteStore(file);
await using work = await openWork(store, { folder, budget: 3000 });
await work.setFeature('auth', { name: 'Sign in' });
await work.setTask('auth', task, { title: task });
await work.moveTask('auth', task, 'in_dev');
const id = await work.getOrCreateSession('dev-task', 'auth', task, 'in_dev');
writeSync(1, `session ${id}\n`);
if (what === 'loop') {
  const say = ({ iteration }: { iteration: number }) => void writeSync(1, `iteration ${iteration}\n`);
  const { status } = await work.runLoop(
    id,
    scriptedLoop(Number(count), { onIteration: say, checkpointEvery: 3 }),
  );
  writeSync(1, `end ${status}\n`);
} else {
  for (let n = 0; n < Number(count); n++) {
    const { id: entry } = await work.addMessage(
      id,
      n % 2 ? 'assistant' : 'user',
      `${process.pid} says ${n}. ${'Words. '.repeat(30)}`,
    );
    const { totalTokens } = await work.buildRequest(id, 'Go on.');
    writeSync(1, `added ${entry} ${totalTokens}\n`);
  }
}
