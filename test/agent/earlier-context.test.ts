import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { contextFor, giveConsent, openAgent } from '../../src/agent/index.ts';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { createSession, pinEntries, type Session } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function createFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-earlier-'));
  vi.stubEnv('HOME', folder);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const anyLife = fc.record({
  systemPrompt: fc.boolean(),
  instructions: fc.boolean(),
  agent: fc.constantFrom(undefined, 'whole' as const, 'with a model' as const, 'broken' as const),
  turns: fc.integer({ min: 1, max: 6 }),
  compacted: fc.boolean(),
  pinned: fc.option(fc.nat(5), { nil: undefined }),
  end: fc.constantFrom('whole' as const, 'question' as const, 'cut' as const),
  window: fc.constantFrom(undefined, 9_000),
  recall: fc.constantFrom(undefined, 0, 400),
});
type AnyLife = typeof anyLife extends fc.Arbitrary<infer T> ? T : never;

const AGENT = `export const name = 'Sally'; export const instructions = 'Be Sally.';
  export const tools = { look: { description: 'Looks.', inputSchema: { type: 'object' }, execute: () => 1 } };`;
const MODULES = {
  whole: AGENT,
  'with a model': `${AGENT} export const model = 'anthropic:claude-sonnet-4-5';`,
  broken: 'export const name = 7;',
};

async function live(store: Store, folder: string, life: AnyLife): Promise<Session> {
  const agentPath = path.join(folder, 'agent.mjs');
  writeFileSync(agentPath, MODULES[life.agent ?? 'whole']);
  await giveConsent(agentPath);
  if (life.instructions) writeFileSync(path.join(folder, 'AGENTS.md'), 'Use tabs.');
  else rmSync(path.join(folder, 'AGENTS.md'), { force: true });
  const settings = {
    compaction: 'off' as const,
    ...(life.systemPrompt && { systemPrompt: 'Be kind.' }),
    ...(life.agent && { agentPath }),
  };
  const session = await createSession(store, { project: folder, settings });
  for (let turn = 0; turn < life.turns; turn++)
    await session.append([
      user(`The harbour of town ${turn} takes ${turn + 3} ships in the evening tide.`),
      assistant(`Noted: town ${turn} takes ${turn + 3} ships.`),
    ]);
  if (life.pinned !== undefined) {
    const said = await session.read({ only: 'messages' });
    await pinEntries(session, { entry: said[life.pinned % said.length]!.id });
  }
  if (life.compacted && life.turns > 2)
    await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 2 } } });
  if (life.end !== 'whole') await session.append([user('How many ships does town 0 take?')]);
  if (life.end === 'cut') await session.append([{ ...assistant('It takes'), status: 'interrupted' }]);
  return session;
}

const MODELS = { openModel: { env: { ANTHROPIC_API_KEY: 'none' } } };

it('the context at the newest entry is the next one, with and without a question', async () => {
  using place = createFolder();
  await fc.assert(
    fc.asyncProperty(anyLife, async (life) => {
      await using store = createMemoryStore();
      await using session = await live(store, place.folder, life);
      const { head } = await session.refresh();
      const { window, recall } = life;
      const options = { ...MODELS, window, recall };
      for (const question of [undefined, 'How many ships does town 0 take?']) {
        const next = await contextFor(store, session.id, { ...options, question, again: true });
        const then = await contextFor(store, session.id, { ...options, question, at: head });
        expect(then).toEqual(next);
        const { parts, instructions } = next.context;
        expect(parts.some(({ part }) => part === 'instructions')).toBe(life.instructions);
        expect(instructions.includes('Be Sally.')).toBe(life.agent !== undefined && life.agent !== 'broken');
        expect(next.agentProblem !== undefined).toBe(life.agent === 'broken');
        if (life.agent === 'with a model') expect(next.model).toBe('anthropic:claude-sonnet-4-5');
      }
    }),
    { numRuns: 40 },
  );
});

it('the context at an earlier entry is what the next one was then', async () => {
  using place = createFolder();
  await fc.assert(
    fc.asyncProperty(anyLife, async (life) => {
      await using store = createMemoryStore();
      await using session = await live(store, place.folder, life);
      const { head } = await session.refresh();
      const { window, recall } = life;
      const options = { ...MODELS, window, recall };
      const questions = [undefined, 'How many ships does town 1 take?'];
      const ask = (question: string | undefined, at?: number) =>
        contextFor(store, session.id, { ...options, question, again: true, at });
      const before = await Promise.all(questions.map((question) => ask(question)));
      // Whatever comes later: another model, another agent, more messages, a summary of them.
      await session.append([
        { kind: 'setting', name: 'systemPrompt', value: 'Be a judge.', by: 'user' },
        { kind: 'setting', name: 'model', value: 'openai:gpt-6.1-sol', by: 'user' },
        { kind: 'setting', name: 'agentPath', value: null, by: 'user' },
        ...Array.from({ length: 4 }, () => [user('And the towns of the south?'), assistant('Later.')]).flat(),
      ]);
      await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 1 } } });
      for (const [index, question] of questions.entries()) {
        const { as, ...then } = await ask(question, head);
        const { as: _, ...next } = before[index]!;
        expect([as, then]).toEqual(['rebuilt', next]);
      }
    }),
    { numRuns: 40 },
  );
});

it('a session whose agent module is broken goes on without it, and says why', async () => {
  using place = createFolder();
  await using store = createMemoryStore();
  const file = path.join(place.folder, 'agent.mjs');
  await using session = await createSession(store, { settings: { agentPath: file } });
  const problems: string[] = [];
  await using agent = await openAgent(session, {
    model: 'offline',
    onAgentProblem: (problem) => problems.push(problem),
  });
  expect(agent.agentProblem).toContain(`${file}, which cannot be used here`);
  const foretold = await agent.context({ question: 'Hello' });
  expect(foretold.agentProblem).toBe(agent.agentProblem);
  const { input, status } = await agent.send('Hello');
  expect([status, problems]).toEqual(['complete', [agent.agentProblem]]);
  expect((await agent.context({ at: input.seq })).context.tokens).toBe(foretold.context.tokens);
  // A module that is mended answers from the next turn on.
  writeFileSync(file, AGENT);
  await giveConsent(file);
  expect((await agent.context({ question: 'Again' })).context.instructions).toContain('Be Sally.');
});
