import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openWork, type Store, type Work } from '../../src/index.ts';

export const FAILING = 'dev_rate-limits_redis_in_dev';
export const REVIEW = 'qa_rate-limits_headers_in_qa';

const MINUTE = 60_000;
const ERROR = `AssertionError: expected 429, got 200
    at test/rate-limit.test.ts:41:18
  two buckets were kept for one address`;

export interface DemoBoard extends AsyncDisposable {
  readonly work: Work;
  /** Where the project is. */
  readonly folder: string;
  /** Another project, with nothing planned. */
  elsewhere(name: string): Promise<Work>;
}

/** A project with a few features such as agents work on: some done, one that fails its tests, one that waits. */
export async function fillDemoBoard(store: Store, now: number): Promise<DemoBoard> {
  const top = mkdtempSync(path.join(realpathSync(tmpdir()), 'throughline-board-'));
  const folder = path.join(top, 'atlas-api');
  mkdirSync(folder);
  writeFileSync(
    path.join(folder, 'AGENTS.md'),
    `# Atlas\n\n${'Keep handlers small and tested. '.repeat(1800)}\n`,
  );
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });

  let time = now - 300 * MINUTE;
  const work = await openWork(store, { folder, now: () => time });
  await planRateLimits(work);
  await planInvoices(work);

  await work.setFeature('health', { name: 'Health checks' });
  await work.setTask('health', 'endpoint', { title: 'Answer on /health' });
  await work.moveTask('health', 'endpoint', 'done', { force: true });
  await work.moveFeature('health', 'done', { force: true });

  await workInDev(work, () => {
    time += 6 * MINUTE;
  });
  time = now - 12 * MINUTE;
  await workInQa(work);
  const opened = [work];
  return {
    work,
    folder,
    async elsewhere(name) {
      mkdirSync(path.join(top, name));
      const other = await openWork(store, { folder: path.join(top, name) });
      opened.push(other);
      await other.setFeature('dropped');
      await other.setFeature('dropped', { removed: true });
      return other;
    },
    async [Symbol.asyncDispose]() {
      for (const one of opened) await one[Symbol.asyncDispose]();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

async function planRateLimits(work: Work): Promise<void> {
  const spec =
    'Every address gets **100 requests a minute**.\n\n- Over it: `429`, with `Retry-After`\n- Redis holds the buckets';
  await work.setFeature('rate-limits', { name: 'Rate limits', spec, branch: 'feature/rate-limits' });
  await work.moveFeature('rate-limits', 'in_progress');
  const tasks = [
    ['bucket', 'Token bucket in memory', 'A bucket for each address, refilled by the clock.', []],
    ['headers', 'Send the rate limit headers', 'Limit, remaining and reset, also on 429.', ['bucket']],
    ['redis', 'Keep the buckets in Redis', 'So that all servers count together.', ['bucket']],
    ['docs', 'Write the guide', '', ['redis', 'headers', 'bucket']],
    ['dashboard', 'Show the limits on the dashboard', '', ['headers']],
  ] as const;
  for (const [id, title, description, dependsOn] of tasks)
    await work.setTask('rate-limits', id, { title, description, dependsOn: [...dependsOn] });
  await work.moveTask('rate-limits', 'bucket', 'in_dev');
  const first = await work.getOrCreateSession('dev-task', 'rate-limits', 'bucket');
  await talk(work, first, [['Build the bucket.', 'Done: the bucket, with tests.']], 300);
  await work.endSession(first);
  await work.moveTask('rate-limits', 'bucket', 'done', { force: true });
  await work.moveTask('rate-limits', 'headers', 'in_dev');
  await work.moveTask('rate-limits', 'redis', 'in_dev');
}

async function planInvoices(work: Work): Promise<void> {
  await work.setFeature('invoices', { name: 'Invoices as PDF', spec: 'One page for each order.' });
  await work.setTask('invoices', 'layout', { title: 'Lay out the page' });
  await work.setTask('invoices', 'fonts', { title: 'Embed the fonts', dependsOn: ['layout'] });
  const plan = await work.getOrCreateSession('pm-feature', 'invoices');
  await talk(work, plan, [['Plan the invoices.', 'Two tasks: the page, then its fonts.']], 200);
}

/** Two compactions and seven tries: what is decided and in the way is in the checkpoint, and one test still fails. */
async function workInDev(work: Work, pass: () => void): Promise<void> {
  const id = await work.getOrCreateSession('dev-task', 'rate-limits', 'redis');
  const answers = [
    'Decision: one Lua script takes a token, so that two servers never give the same one.\nTodo: expire buckets nobody uses.',
    'Decision: keys are the hashed address, never the address itself.\nDone: the Lua script and its tests.',
    'Blocker: the test server runs Redis 6, and the script needs 7.\nTodo: say how to run without Redis.',
    'Done: a pool of two connections.\nDecision: when Redis is gone, requests are let through and counted as such.',
    'I looked at the failing test: one address has two buckets.',
    'IPv6 addresses are written in two ways. I normalise them now.',
  ];
  for (const [index, answer] of answers.entries()) {
    pass();
    await talk(
      work,
      id,
      [[`Make the checks pass. This is try ${index + 1}.`, answer]],
      index < 4 ? 2600 : 11_000,
    );
    if (index === 2 || index === 4) await work.compact(id);
  }
  await work.recordLoop(id, 7, { passed: ['build', 'lint'], failed: ['test'], lastError: ERROR });
}

async function workInQa(work: Work): Promise<void> {
  const dev = await work.getOrCreateSession('dev-task', 'rate-limits', 'headers');
  await talk(work, dev, [['Send the headers.', 'Done: three headers.\nDecision: reset is in seconds.']], 900);
  await work.endSession(dev);
  await work.moveTask('rate-limits', 'headers', 'in_qa', { by: 'harness' });
  const qa = await work.getOrCreateSession('qa-task', 'rate-limits', 'headers');
  await work.showCheckpoint(qa, dev);
  await talk(work, qa, [['Check the headers.', 'They are there on 200 and on 429.']], 1200);
  await work.recordLoop(qa, 2, { passed: ['build', 'lint', 'test'], failed: [] });
}

/** `weight` is about how many tokens an answer takes. */
async function talk(
  work: Work,
  id: string,
  turns: readonly (readonly [string, string])[],
  weight: number,
): Promise<void> {
  for (const [question, answer] of turns) {
    await work.addMessage(id, 'user', question);
    await work.addMessage(
      id,
      'assistant',
      `${answer}\n\n${'I read the file and ran it. '.repeat(weight / 7)}`,
    );
  }
}
