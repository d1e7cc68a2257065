import { rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { contextFor } from '../../src/agent/index.ts';
import { isThroughlineError } from '../../src/errors.ts';
import { addFact } from '../../src/project/index.ts';
import { emptySummary, settingEntry } from '../../src/record/index.ts';
import { openSession, pinEntries } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { system } from '../../src/testing/index.ts';
import { countText } from '../../src/tokens/index.ts';
import { openWork, type Work, type WorkEvent, type WorkOptions } from '../../src/work/index.ts';
import { scripted } from '../compaction/scripted-summariser.ts';
import { makeRepository } from './workshop.ts';

const folder = makeRepository({ git: false });
afterAll(() => folder[Symbol.dispose]());

const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((text) => text.trim());
const prose = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'));
const anySession = fc.record({
  systemPrompt: fc.option(prose, { nil: undefined }),
  standing: fc.array(line, { maxLength: 2 }),
  facts: fc.uniqueArray(fc.nat(999), { maxLength: 12 }),
  agents: fc.option(prose, { nil: undefined }),
  claude: fc.option(prose, { nil: undefined }),
  turns: fc.nat(8),
  pinned: fc.nat(20),
  compact: fc.boolean(),
  budget: fc.constantFrom(1500, 4000, 20_000, 100_000),
});

interface Made extends AsyncDisposable {
  readonly store: Store;
  readonly work: Work;
  readonly id: string;
}

async function makeSession(options: WorkOptions = {}): Promise<Made> {
  const store = createMemoryStore();
  const work = await openWork(store, { folder: folder.path, ...options });
  await work.setFeature('auth', { name: 'Sign in' });
  const id = await work.getOrCreateSession('pm-feature', 'auth');
  return {
    store,
    work,
    id,
    async [Symbol.asyncDispose]() {
      await work[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

const setSystemPrompt = ({ store, id }: Made, text: string) =>
  store.append(id, [settingEntry('systemPrompt', text, { by: 'host', at: 1 })]);
const learn = ({ store, work }: Made, text: string) =>
  addFact(store, work.place.project, text, { source: { by: 'person' } });

async function compactIfPossible(work: Work, id: string): Promise<void> {
  await work.compact(id).catch((error) => {
    if (!isThroughlineError(error, 'nothing-to-compact')) throw error;
  });
}

describe('the head of a request', () => {
  it('has every line of the head that the context of the session has, and the request is within its budget', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, async (given) => {
        for (const name of ['AGENTS.md', 'CLAUDE.md']) rmSync(path.join(folder.path, name), { force: true });
        if (given.agents !== undefined) folder.write('AGENTS.md', given.agents);
        if (given.claude !== undefined) folder.write('CLAUDE.md', given.claude);
        await using made = await makeSession({ budget: given.budget });
        const { store, work, id } = made;
        for (const text of given.standing) await store.append(id, [{ body: system(text) }]);
        if (given.systemPrompt !== undefined) await setSystemPrompt(made, given.systemPrompt);
        for (const fact of given.facts) await learn(made, `Port ${fact} belongs to service ${fact}.`);
        for (let n = 1; n <= given.turns; n++) {
          await work.addMessage(id, 'user', `Question ${n} about the form?`);
          await work.addMessage(id, 'assistant', `Answer ${n}: the form has ${n} fields.`);
        }
        const said = await store.read(id, { only: 'messages' });
        const pin = said[given.pinned];
        if (pin) {
          await using session = await openSession(store, id);
          await pinEntries(session, { entry: pin.id });
        }
        if (given.compact) await compactIfPossible(work, id);

        const estimate = await work.estimateRequestSize(id);
        const { systemPrompt, totalTokens } = await work.buildRequest(id, 'Go on.');
        expect(totalTokens).toBeLessThanOrEqual(given.budget);
        if (given.budget < 20_000) return;
        expect(estimate).toBeGreaterThanOrEqual(totalTokens - RECALLED_AND_JOINTS);
        const { context } = await contextFor(store, id, { question: 'Go on.', window: given.budget });
        const lines = context.instructions
          .split('\n')
          .filter((text) => text.trim() !== '' && text !== '# Project instructions');
        expect(lines.filter((text) => !systemPrompt.includes(text.trim()))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('stands between the role and the context, and is absent when there is nothing', async () => {
    rmSync(path.join(folder.path, 'AGENTS.md'), { force: true });
    await using made = await makeSession();
    const { work, id } = made;
    const headings = async () =>
      (await work.buildRequest(id, 'Go on.')).systemPrompt.split('\n').filter((text) => /^# /.test(text));
    expect(await headings()).toEqual(['# Your Role', '# Context']);
    await setSystemPrompt(made, 'Speak like a pirate.');
    await learn(made, 'The database is Postgres.');
    expect(await headings()).toEqual([
      '# Your Role',
      '# Session Instructions',
      '# Project memory',
      '# Context',
    ]);
  });

  it('has the instruction files above the project in its repository', async () => {
    using repository = makeRepository();
    repository.write('AGENTS.md', 'The rule of the whole repository.');
    repository.write('packages/api/package.json', '{"name":"api"}');
    repository.write('packages/api/AGENTS.md', 'The rule of the package.');
    await using store = createMemoryStore();
    await using work = await openWork(store, { folder: repository.path });
    await work.setFeature('auth', { folder: path.join(repository.path, 'packages/api') });
    const id = await work.getOrCreateSession('pm-feature', 'auth');
    const { systemPrompt } = await work.buildRequest(id, 'Go on.');
    expect(systemPrompt).toMatch(/The rule of the whole repository\.[\s\S]*The rule of the package\./);
  });

  it.each(['of the project', 'of a package', 'of a work tree'])(
    'has the instruction files %s where the feature has that folder, as a turn of the session has',
    async (where) => {
      using repository = makeRepository();
      const tree = path.join(repository.path, '.trees', 'auth');
      repository.git('worktree', 'add', '-q', '-b', 'auth', tree);
      repository.write('AGENTS.md', 'The rule of the repository.');
      repository.write('packages/api/AGENTS.md', 'The rule of the package.');
      repository.write('.trees/auth/AGENTS.md', 'The rule of the tree.');
      const folders = { 'of the project': undefined, 'of a package': 'packages/api', 'of a work tree': tree };
      const own = folders[where as keyof typeof folders];
      await using store = createMemoryStore();
      // From another work tree of the same project.
      await using work = await openWork(store, { folder: tree });
      await work.setFeature('auth', own === undefined ? {} : { folder: path.resolve(repository.path, own) });
      const id = await work.getOrCreateSession('pm-feature', 'auth');
      const rules = (text: string) => text.match(/The rule of the \w+\./g);
      const { systemPrompt } = await work.buildRequest(id, 'Go on.');
      const { context } = await contextFor(store, id, { question: 'Go on.' });
      expect(rules(JSON.stringify(context.instructions))).toEqual(rules(systemPrompt));
      const expected = {
        'of the project': ['The rule of the repository.'],
        'of a package': ['The rule of the repository.', 'The rule of the package.'],
        'of a work tree': ['The rule of the tree.'],
      };
      expect(rules(systemPrompt)).toEqual(expected[where as keyof typeof expected]);
    },
  );

  it('counts for compaction: with a long system prompt a session is compacted earlier', async () => {
    const firstAfter = async (prompt: string) => {
      await using made = await makeSession({ budget: 2500 });
      const { work, id } = made;
      for (let n = 1; ; n++) {
        // The head that was measured for the first message is not that of the second.
        if (n === 2) await setSystemPrompt(made, prompt);
        await work.addMessage(id, n % 2 ? 'user' : 'assistant', `${n}: ${'a few words '.repeat(20)}`);
        if ((await work.checkpoint(id)).version > 0) return n;
      }
    };
    const long = Array.from({ length: 60 }, (_, n) => `Rule ${n} of the house holds.`).join('\n');
    expect(await firstAfter(long)).toBeLessThan(await firstAfter('Be brief.'));
  });

  it('follows a system prompt, a fact and a file that change between two requests', async () => {
    await using made = await makeSession();
    const { work, id } = made;
    await setSystemPrompt(made, 'Speak like a pirate.');
    const before = await work.estimateRequestSize(id);
    await setSystemPrompt(made, 'Speak like a judge, and weigh every word before it is spoken.');
    await learn(made, 'The harbour is closed on Mondays.');
    expect(await work.estimateRequestSize(id)).toBeGreaterThan(before);
    const { systemPrompt } = await work.buildRequest(id, 'Go on.');
    expect(systemPrompt).toContain('Speak like a judge');
    expect(systemPrompt).toContain('The harbour is closed on Mondays.');
    expect(systemPrompt).not.toContain('pirate');
    expect((await work.describeSession(id)).tokens.head).toBeGreaterThan(20);
  });

  it('says which agent module is left out, and why', async () => {
    const events: WorkEvent[] = [];
    await using made = await makeSession({ onEvent: (event) => events.push(event) });
    const { store, work, id } = made;
    const module = path.join(folder.path, 'agent.mjs');
    await store.append(id, [settingEntry('agentPath', module, { by: 'host', at: 1 })]);
    await work.buildRequest(id, 'Go on.');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'source-broken', reason: expect.stringContaining(module) }),
    );
  });

  it('has the instructions of the agent that the work is opened with, and no facts without memory', async () => {
    await using made = await makeSession({
      agent: { name: 'counter', instructions: 'Count the rivets.' },
      memory: false,
    });
    await learn(made, 'The database is Postgres.');
    const { systemPrompt } = await made.work.buildRequest(made.id, 'Go on.');
    expect(systemPrompt).toContain('# Agent Instructions\n\nCount the rivets.');
    expect(systemPrompt).not.toContain('Postgres');
  });

  it('comes with what the agent wants kept in summaries', async () => {
    const summariser = scripted(() => ({ summary: emptySummary('Parts of the form were looked at.') }));
    const agent = { name: 'counter', instructions: '', summaryInstructions: 'Keep every rivet count.' };
    await using made = await makeSession({ agent, summariser });
    const { work, id } = made;
    for (let n = 1; n <= 12; n++) await work.addMessage(id, n % 2 ? 'user' : 'assistant', `Part ${n}.`);
    await work.compact(id);
    expect(summariser.requests.map(({ instructions }) => instructions)).toEqual([agent.summaryInstructions]);
  });
});

/** An estimate says nothing of recalled messages, and counts sections apart. */
const RECALLED_AND_JOINTS = 2100;

describe('messages that were compacted', () => {
  const PLANTED = 'The staging password of the harbour crane is kept in the vault named heron-seven.';

  async function compacted(options: WorkOptions): Promise<Made> {
    const made = await makeSession({ budget: 6000, ...options });
    const { work, id } = made;
    for (let n = 1; n <= 40; n++) {
      await work.addMessage(
        id,
        'user',
        n === 3 ? `Keep in mind. ${PLANTED}` : `How is part ${n} of the form?`,
      );
      await work.addMessage(id, 'assistant', `Part ${n} has ${n} fields. ${'It was looked at. '.repeat(8)}`);
    }
    await work.compact(id);
    return made;
  }

  const QUESTION = 'In which vault is the staging password of the harbour crane?';

  it('are recalled for the question as a turn of the session recalls them', async () => {
    await using made = await compacted({ recall: true });
    const { store, work, id } = made;
    const { systemPrompt } = await work.buildRequest(id, QUESTION);
    const { context } = await contextFor(store, id, { question: QUESTION });
    const [, recalled] = systemPrompt.split('# Recalled From Earlier Messages\n\n');
    expect(JSON.stringify(context.messages)).toContain(JSON.stringify(recalled).slice(1, -1));
    expect(recalled).toContain('heron-seven');
  });

  it('are not recalled for small talk, nor where recall is off', async () => {
    await using made = await compacted({ recall: true });
    expect((await made.work.buildRequest(made.id, 'Thanks!')).systemPrompt).not.toContain('# Recalled');
    await using off = await compacted({});
    expect((await off.work.buildRequest(off.id, QUESTION)).systemPrompt).not.toContain('# Recalled');
  });

  it('are not recalled for a loop that asks the same each time, if they are nothing but that question', async () => {
    await using made = await makeSession({ budget: 6000 });
    const requests: string[] = [];
    await made.work.runLoop(made.id, {
      prompt: () => 'Make build, lint and test of the harbour crane pass.',
      async ask({ systemPrompt }, { iteration }) {
        requests.push(systemPrompt);
        return `I turned screw ${iteration}. ${'It holds. '.repeat(30)}`;
      },
      check: async () => ({ passed: [], failed: ['test'] }),
      maxIterations: 60,
      checkpointEvery: 10,
    });
    expect((await made.work.checkpoint(made.id)).version).toBeGreaterThan(2);
    const recalled = requests.map((request) => request.split('# Recalled From Earlier Messages')[1] ?? '');
    expect(recalled.filter((text) => text.includes('Make build, lint and test'))).toEqual([]);
  });

  it('are recalled in the room that is left, and in no more tokens than asked for', async () => {
    await using made = await compacted({ recall: 120 });
    const { systemPrompt, totalTokens } = await made.work.buildRequest(made.id, QUESTION);
    expect(totalTokens).toBeLessThanOrEqual(6000);
    const [, recalled] = systemPrompt.split('# Recalled From Earlier Messages\n\n');
    expect(countText(recalled!)).toBeLessThanOrEqual(120);
  });
});
