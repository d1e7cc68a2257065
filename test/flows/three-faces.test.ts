import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyTalk, anyTalk, anyTightTalk, WIRES } from './any-talk.ts';
import { checkFaces, expectInOrder } from './three-faces.ts';

const turn = (asked: number) => ({ do: 'turn', asked, said: 30, steps: 0, output: 0 }) as const;

/** A session with everything that a request can hold. */
const FULL: AnyTalk = {
  session: {
    systemPrompt: 40,
    compaction: 'off',
    deeds: [turn(20), turn(25), turn(30), { do: 'compact', keep: 1 }, turn(5)],
    end: 'whole',
    questions: [12],
    ratio: 1,
  },
  model: 'compatible:llama2',
  agent: { instructions: 8, tools: 2, model: false, state: 'whole' },
  project: 'folder',
  recall: undefined,
  at: 0.5,
  instructions: 8,
  facts: 2,
  window: { tokens: 20_000, by: 'option' },
};

describe('the library, the terminal and RPC', () => {
  it.each(WIRES)('send the same bytes, as announced, over %s', async (wire) => {
    const outcomes: string[] = [];
    await fc.assert(
      fc.asyncProperty(anyTalk, async (talk) => {
        outcomes.push((await checkFaces(talk, wire)).outcome);
      }),
      { numRuns: 3, endOnFailure: true },
    );
    expect(outcomes).toHaveLength(3);
  });

  it('send the same bytes where a turn writes a summary first, in a window that hardly holds it', async () => {
    const compacted: boolean[] = [];
    await fc.assert(
      fc.asyncProperty(anyTightTalk, async (talk) => {
        compacted.push((await checkFaces(talk, 'openai-chat')).compacts);
      }),
      { numRuns: 3, endOnFailure: true },
    );
    expect(compacted).toHaveLength(3);
  });

  it('send the agent, the system prompt, the project, the summary and the recalled entries, in this order', async () => {
    const { outcome, body } = await checkFaces(FULL, 'openai-chat');
    expect(outcome).toBe('sent');
    const pieces = ['Be Sally.', 'Be kind.', 'Use tabs.', 'Fact 0:', '<<'];
    expectInOrder(body, [...pieces, 'Found in earlier entries', 'QUESTION-MARK', '"t0"', '"t1"']);
  });

  it.each<[string, Partial<AnyTalk>]>([
    ['without a project', { project: undefined }],
    ['whose project is a mere name', { project: 'label' }],
    ['whose agent module is broken', { agent: { ...FULL.agent!, state: 'broken', model: true } }],
    ['whose agent module is gone', { agent: { ...FULL.agent!, state: 'gone' } }],
    ['whose agent module names a model', { agent: { ...FULL.agent!, model: true } }],
    ['that recalls nothing', { recall: 0 }],
  ])('send the same bytes in a session %s', async (_, change) => {
    expect((await checkFaces({ ...FULL, ...change }, 'openai-chat')).outcome).toBe('sent');
  });

  it('compact first where the policy of the session says so, by the window that they are given', async () => {
    const deeds = Array.from({ length: 9 }, () => turn(900));
    const window = { tokens: 9_000, by: 'environment' } as const;
    const full = { ...FULL, window, session: { ...FULL.session, compaction: 'balanced' as const, deeds } };
    const { outcome, compacts, body } = await checkFaces(full, 'openai-chat');
    expect([outcome, compacts]).toEqual(['sent', true]);
    expect(body).toContain('Several things were talked about.');
    const roomy = { ...full, window: { ...window, tokens: 100_000 } };
    expect((await checkFaces(roomy, 'openai-chat')).compacts).toBe(false);
  });
});
