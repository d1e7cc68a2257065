import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Store } from '../src/store/index.ts';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { type LoopOptions, openWork, type Work } from '../src/work/index.ts';
import { median, type Row, ratioRow } from './measure.ts';

const EARLY = 5;
const LATE = 500;
const CALLS = 120;

/**
 * What a work loop costs before each request: the same at its five hundredth iteration as at its fifth. Recall searches
 * everything that was compacted, so it is measured apart.
 */
export async function benchWork(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-bench-'));
  try {
    makeRepository(folder);
    await using store = await openSqliteStore(path.join(folder, 'store.db'), { durability: 'normal' });
    await using work = await openWork(store, { folder });
    await work.setFeature('bench', { spec: 'Parts that fit together. '.repeat(40) });
    const ids = new Map<number, string>();
    const sizes: number[] = [];
    for (const iterations of [EARLY, LATE]) {
      await work.setTask('bench', `task-${iterations}`, {
        title: 'Make the parts fit',
        description: 'All of them.',
      });
      const id = await work.getOrCreateSession('dev-task', 'bench', `task-${iterations}`);
      await work.runLoop(
        id,
        script(iterations, (tokens) => sizes.push(tokens)),
      );
      ids.set(iterations, id);
    }
    await using withRecall = await openWork(store, { folder, recall: true });
    const warm = await compare(ids, async (id, n) => {
      await work.recordLoop(id, n, { passed: ['build'], failed: ['test'], lastError: 'again' });
      return () => work.buildRequest(id, 'Make build, lint and test pass.');
    });
    const cold = await compare(ids, async (id) => () => fresh(store, folder, id));
    const recalling = await compare(ids, async (id, n) => {
      await work.recordLoop(id, n, { passed: ['build'], failed: ['test'], lastError: 'again' });
      return () => withRecall.buildRequest(id, 'Make build, lint and test pass.');
    });
    const { tokens, summary, version } = await work.checkpoint(ids.get(LATE)!);
    return [
      ratioRow(`\`buildRequest\` at iteration ${LATE}, against iteration ${EARLY}`, { ...warm, most: 1.3 }),
      {
        work: '… by a process that has not read the session before, opening the board included',
        value: `${cold.ours.toFixed(1)} ms / ${cold.raw.toFixed(1)} ms = ${(cold.ours / cold.raw).toFixed(2)} ×`,
        target: '',
      },
      {
        work: '… with what is recalled for the question',
        value: `${recalling.ours.toFixed(1)} ms / ${recalling.raw.toFixed(1)} ms`,
        target: '',
      },
      {
        work: `requests over the budget of ${work.budget.toLocaleString('en')} tokens, of ${sizes.length}`,
        value: `${sizes.filter((size) => size > work.budget).length}; the largest had ${Math.max(...sizes).toLocaleString('en')}`,
        target: '0',
        met: Math.max(...sizes) <= work.budget,
      },
      {
        work: `decisions of ${Math.floor(LATE / 7)} in the checkpoint, tokens saved by ${version} versions of it`,
        value: `${summary.decisions.length}; ${tokens.totalSaved.toLocaleString('en')}`,
        target: '',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fresh(store: Store, folder: string, id: string): Promise<unknown> {
  await using work: Work = await openWork(store, { folder });
  return work.buildRequest(id, 'Make build, lint and test pass.');
}

/** Medians, one call each in turn; `prepare` is not counted. */
async function compare(
  ids: ReadonlyMap<number, string>,
  prepare: (id: string, n: number) => Promise<() => Promise<unknown>>,
): Promise<{ ours: number; raw: number }> {
  const times = new Map([...ids.keys()].map((iterations) => [iterations, [] as number[]]));
  for (let n = 0; n < CALLS; n++) {
    for (const [iterations, id] of ids) {
      const call = await prepare(id, LATE + n);
      const start = performance.now();
      await call();
      if (n >= CALLS / 4) times.get(iterations)!.push(performance.now() - start);
    }
  }
  return { ours: median(times.get(LATE)!), raw: median(times.get(EARLY)!) };
}

/** About two thousand tokens an iteration, most of them the output of checks; never done. */
function script(iterations: number, onRequest: (tokens: number) => void): LoopOptions {
  return {
    maxIterations: iterations,
    checkpointEvery: 2,
    prompt: () => 'Make build, lint and test pass.',
    async ask({ totalTokens }, { iteration }) {
      onRequest(totalTokens);
      const log = Array.from(
        { length: 60 },
        (_, n) => `FAIL src/part-${n}.test.ts line ${iteration * n} expected ${n}`,
      );
      const stated = iteration % 7 === 0 ? [`Decision: part ${iteration} is made by plan ${iteration}.`] : [];
      return [`I changed src/part-${iteration % 40}.ts.`, ...stated, ...log].join('\n');
    },
    check: async ({ iteration }) => ({
      passed: ['build'],
      failed: ['test'],
      lastError: `part ${iteration} does not fit`,
    }),
  };
}

function makeRepository(folder: string): void {
  mkdirSync(path.join(folder, 'src'));
  for (let n = 0; n < 40; n++)
    writeFileSync(path.join(folder, 'src', `part-${n}.ts`), `export const part${n} = ${n};\n`);
  writeFileSync(path.join(folder, 'AGENTS.md'), 'Parts fit. Tests pass.\n'.repeat(20));
  writeFileSync(path.join(folder, '.gitignore'), '*.db*\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', ...args], {
      cwd: folder,
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'Begin');
}
