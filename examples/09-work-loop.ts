// An agent works on a small repository until build, lint and test pass: in a work tree of its own, with a checkpoint
// between iterations, and in processes that are killed at the worst moments and go on where they were.
//
//   node examples/09-work-loop.ts                  follows a script, the same every time
//   node examples/09-work-loop.ts anthropic        any model that is configured: ollama:qwen3, openai, …
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtempDisposable, realpath, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CheckOutcome, generate, openModel, openStore, openWork } from 'throughline';

/** What the agent answers when no model is named. */
const SCRIPT = [
  'I close the function.\n```file src/sum.mjs\nvar sum = (a, b) => a - b;\nexport { sum };\n```',
  'Decision: sums are kept in plain numbers.\nI follow the linter.\n```file src/sum.mjs\nexport const sum = (a, b) => a - b;\n```',
  'I add instead.\n```file src/sum.mjs\nexport const sum = (a, b) => a + b;\n```',
];

const TASK = 'Make build, lint and test pass.';
const ANSWER =
  'Answer with the whole of each file that you change, in a block that begins with ```file and its path.';

const [first, folder, dieAt = ''] = process.argv.slice(2);
if (first === '--work') await workOn(folder!, dieAt);
else await main(first);

async function main(model: string | undefined): Promise<void> {
  await using temp = await mkdtempDisposable(path.join(await realpath(tmpdir()), 'throughline-example-'));
  const repository = path.join(temp.path, 'sums');
  await makeRepository(repository);

  // Each life is a process of its own. The first ones die while they ask, while they write files, and between the checks
  // and writing down how they came out. A real model is left alone.
  const deaths = model === undefined ? ['ask 1', 'apply 2', 'outcome 2'] : [];
  for (const death of [...deaths, '']) {
    const env = { ...process.env, ...(model !== undefined && { EXAMPLE_MODEL: model }) };
    const life = spawnSync(process.execPath, [import.meta.filename, '--work', repository, death], {
      encoding: 'utf8',
      env,
    });
    assert.equal(life.stderr, '');
    assert.equal(life.signal, death === '' ? null : 'SIGKILL');
    process.stdout.write(life.stdout);
  }

  await using store = await openStore(path.join(repository, '.throughline', 'throughline.db'));
  await using work = await openWork(store, { folder: repository });
  const id = (await work.getActiveSession('sums', 'add', 'in_dev'))!;
  const { ralphLoop, summary } = await work.checkpoint(id);
  if (model !== undefined) return;
  assert.equal((await work.task('sums', 'add')).state, 'in_qa');
  assert.deepEqual(ralphLoop?.failedChecks, []);

  // Three iterations, whatever happened: every question and every answer is in the log once.
  assert.equal(ralphLoop?.currentIteration, 3);
  assert.equal((await store.session(id))!.totals.messages, 6);
  assert.deepEqual(summary.decisions, ['sums are kept in plain numbers.']);

  // A tester is shown what the developer came to, by naming the session, and not how.
  const qa = await work.getOrCreateSession('qa-task', 'sums', 'add', 'in_qa');
  await work.showCheckpoint(qa, id);
  const { systemPrompt, totalTokens } = await work.buildRequest(qa, 'Does it do what the task says?');
  assert.match(systemPrompt, /read-only\)[\s\S]*sums are kept in plain numbers/);
  assert.ok(totalTokens < work.budget);
  console.log(`${qa}: a request of ${totalTokens} tokens, of ${work.budget}`);
}

/** One life: goes on with whatever is not done yet. */
async function workOn(repository: string, death: string): Promise<void> {
  const die = (at: string) => void (at === death && process.kill(process.pid, 'SIGKILL'));
  await using store = await openStore(path.join(repository, '.throughline', 'throughline.db'));
  await using work = await openWork(store, { folder: repository });
  const tree = openWorktree(repository, 'sums');
  await work.setFeature('sums', {
    name: 'Sums',
    spec: 'Numbers can be added.',
    folder: tree,
    branch: 'feature/sums',
  });
  await work.setTask('sums', 'add', { title: 'Add numbers', description: 'src/sum.mjs exports sum(a, b).' });
  if ((await work.task('sums', 'add')).state === 'planning') await work.moveTask('sums', 'add', 'in_dev');
  const id = await work.getOrCreateSession('dev-task', 'sums', 'add', 'in_dev');

  const result = await work.runLoop(id, {
    checkpointEvery: 1,
    maxIterations: 10,
    prompt: (_, before) =>
      [before ? `These checks fail: ${before.failed.join(', ')}.` : TASK, ANSWER, ...show(tree)].join('\n\n'),
    async ask({ systemPrompt, userPrompt }, { iteration, signal }) {
      die(`ask ${iteration}`);
      if (process.env.EXAMPLE_MODEL === undefined) return SCRIPT[iteration - 1]!;
      const model = await openModel(process.env.EXAMPLE_MODEL);
      const messages = [{ role: 'user' as const, content: userPrompt }];
      const { text } = await generate({
        model,
        instructions: systemPrompt,
        messages,
        maxOutputTokens: 4000,
        timeoutMs: 120_000,
        signal,
      });
      return text;
    },
    async apply(answer, { iteration }) {
      for (const [, file, content] of answer.matchAll(/^```file (\S+)\n([\s\S]*?)^```$/gm)) {
        await writeInside(tree, file!, content!);
        die(`apply ${iteration}`);
      }
    },
    async check({ iteration }) {
      const outcome = runChecks(tree);
      die(`outcome ${iteration}`);
      return outcome;
    },
    onIteration: ({ iteration, failed }) =>
      console.log(`iteration ${iteration}: ${failed.join(', ') || 'all checks pass'}`),
  });
  console.log(`${id}: ${result.status} after ${result.iterations} iterations`);
  if (result.status !== 'passed') return;
  git(tree, 'add', '-A');
  git(tree, 'commit', '-q', '--allow-empty', '-m', 'Add numbers');
  await work.moveTask('sums', 'add', 'in_qa', { by: 'loop' });
}

/** A work tree by plain git; one that is there already is the one. */
function openWorktree(repository: string, feature: string): string {
  const tree = path.join(repository, '.worktrees', feature);
  const known = git(repository, 'worktree', 'list', '--porcelain').includes(`worktree ${tree}\n`);
  if (!known) git(repository, 'worktree', 'add', '-q', '-B', `feature/${feature}`, tree);
  return tree;
}

/** What the agent has to see to change it. */
function show(tree: string): string[] {
  const files = ['src/sum.mjs', 'lint.mjs', 'test.mjs'];
  return files.map((file) => `${file}:\n${readFileSync(path.join(tree, file), 'utf8')}`);
}

function runChecks(tree: string): CheckOutcome {
  const checks = { build: ['--check', 'src/sum.mjs'], lint: ['lint.mjs'], test: ['test.mjs'] };
  const runs = Object.entries(checks).map(([name, args]) => ({
    name,
    ...spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' }),
  }));
  const names = (passed: boolean) =>
    runs.filter(({ status }) => (status === 0) === passed).map(({ name }) => name);
  return {
    passed: names(true),
    failed: names(false),
    lastError: runs.findLast(({ status }) => status !== 0)?.stderr ?? null,
  };
}

/** Twice is as once: after a kill the same answer is applied again. Nothing outside the tree is touched. */
async function writeInside(tree: string, file: string, content: string): Promise<void> {
  const target = path.resolve(tree, file);
  if (!target.startsWith(tree + path.sep)) return;
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(`${target}.new`, content);
  await rename(`${target}.new`, target);
}

async function makeRepository(repository: string): Promise<void> {
  const files = {
    '.gitignore': '.throughline/\n.worktrees/\n',
    'AGENTS.md': 'Use const. Keep functions short.\n',
    'src/sum.mjs': 'export const sum = (a, b) => {\n',
    'lint.mjs':
      "import { readFileSync } from 'node:fs';\nif (/\\bvar\\b/.test(readFileSync('src/sum.mjs', 'utf8'))) throw new Error('no var, please');\n",
    'test.mjs':
      "import assert from 'node:assert/strict';\nimport { sum } from './src/sum.mjs';\nassert.equal(sum(2, 3), 5);\n",
  };
  for (const [file, content] of Object.entries(files)) await writeInside(repository, file, content);
  git(repository, 'init', '-q', '-b', 'main');
  git(repository, 'add', '-A');
  git(repository, 'commit', '-q', '-m', 'Begin');
}

function git(tree: string, ...args: string[]): string {
  const who = ['-c', 'user.name=Example', '-c', 'user.email=example@example.org'];
  return execFileSync('git', [...who, ...args], { cwd: tree, encoding: 'utf8', stdio: 'pipe' });
}
