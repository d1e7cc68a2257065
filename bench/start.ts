import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSession } from '../src/session/index.ts';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { format, mediansOf, type Row } from './measure.ts';
import { messageAt } from './messages.ts';

const ROUNDS = 15;
const MAIN = path.resolve('dist/faces/cli/main.js');

/** A process says how much computing time it took: what it waits for is the machine's affair. */
const TELL = `process.on('exit', () => { const { user, system } = process.cpuUsage(); console.error(\`\\ncpu \${(user + system) / 1000}\`); });`;

/** What a process computes until it is ready: bare Node, the package, and a whole command on a small store. */
export async function benchStart(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-bench-'));
  try {
    const file = path.join(folder, 'store.db');
    {
      await using store = await openSqliteStore(file, { durability: 'normal' });
      await using session = await createSession(store, { id: 'one' });
      await session.append(Array.from({ length: 20 }, (_, index) => messageAt(index)));
    }
    const cpu = (...args: string[]) => {
      const hook = `data:text/javascript,${encodeURIComponent(TELL)}`;
      const env = { PATH: process.env.PATH, HOME: folder };
      const { stderr, status } = spawnSync(process.execPath, ['--import', hook, ...args], {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        env,
      });
      if (status !== 0) throw new Error(stderr);
      return Number(/cpu (\S+)\s*$/.exec(stderr)![1]);
    };
    const command = (...args: string[]) => cpu(MAIN, ...args, '--store', file);
    const load = (name: string) => cpu('--input-type=module', '--eval', `await import('${name}')`);
    const { bare, ...figures } = await mediansOf(
      {
        bare: () => cpu('--eval', '0'),
        'import of the package': () => load('throughline'),
        'import of the SQLite store': () => load('throughline/sqlite'),
        'throughline sessions': () => command('sessions'),
        'throughline context': () => command('context', 'one'),
      },
      ROUNDS,
    );
    return Object.entries(figures).map(([work, ms]) => {
      const more = ms - bare;
      return {
        work: `${work}, cold, computing time beyond bare Node`,
        value: `${format(ms)} ms − ${format(bare)} ms = ${format(more)} ms`,
        ...(work === 'import of the package' ? { target: '≤ 60 ms', met: more <= 60 } : { target: '' }),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
