import { describe, expect, it } from 'vitest';
import {
  type BuiltContext,
  buildContext,
  type ContextOptions,
  type ContextState,
} from '../../../src/context/index.ts';
import type { Entry, EntryBody } from '../../../src/record/index.ts';
import {
  assistant,
  compaction,
  logOf,
  summaryOf,
  toolCall,
  toolResult,
  user,
} from '../../../src/testing/index.ts';
import { linesOf, marksOf, stateOf } from '../states.ts';

const words = (word: string, count: number) => `${word} `.repeat(count).trim();

/** A question, a look at something, and an answer. */
function turn(n: number, { output = 600, answer = 20 } = {}): EntryBody[] {
  const id = `c${n}`;
  return [
    user(`question ${n}`),
    toolCall('look', { n }, { id }),
    toolResult('look', words(`output${n}`, output), { id }),
    assistant(words(`answer${n}`, answer)),
  ];
}

/** The context in a room that is this share of what everything would take. */
function squeeze(
  bodies: readonly EntryBody[],
  share: number,
  { digest, ...fields }: ContextOptions & Partial<ContextState> = {},
): BuiltContext {
  const state = stateOf(logOf(...bodies), fields);
  const { tokens } = buildContext(state, { window: 10_000_000 });
  const budget = { window: Math.floor(tokens * share) + 100, reserve: 100 };
  return buildContext(state, budget, digest ? { digest } : {});
}

describe('the ladder', () => {
  it('sends everything as it is while it fits', () => {
    const built = squeeze([...turn(1), ...turn(2), user('now?')], 1);
    expect(built.steps).toEqual([]);
    expect(built.leftOut).toEqual([]);
  });

  it('first makes stubs of old tool outputs, the oldest first', () => {
    const bodies = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => turn(n));
    const built = squeeze([...bodies, user('now?')], 0.6);
    expect(built.steps).toEqual(['stub-outputs']);
    const stubbed = linesOf(built)
      .filter((line) => line.startsWith('tool'))
      .map((line) => /\[Output of about \d+ tokens left out to fit\. Entry \S+ has it\.\]/.test(line));
    expect(stubbed.slice(0, 2)).toEqual([true, true]);
    expect(stubbed.slice(-1)).toEqual([false]);
    expect(stubbed).toEqual(stubbed.toSorted((a, b) => Number(b) - Number(a)));
    expect(built.leftOut).toEqual([
      expect.objectContaining({ what: 'tool outputs', entries: stubbed.filter(Boolean).length }),
    ]);
  });

  it('keeps what the model has not read yet, and cuts it only when it alone takes half of the room', () => {
    const bodies = [
      ...turn(1),
      ...turn(2),
      user('go'),
      toolCall('look', {}, { id: 'x' }),
      toolResult('look', words('fresh', 900), { id: 'x' }),
    ];
    const built = squeeze(bodies, 0.75);
    expect(built.steps).toEqual(['stub-outputs']);
    expect(linesOf(built).at(-1)).toBe(`tool: gets ${words('fresh', 900)} (x)`);
  });

  it('lets an old turn go before it makes a stub of what the model has not read yet', () => {
    const bodies = [
      ...turn(1, { output: 1, answer: 1_500 }),
      user('go'),
      toolCall('look', {}, { id: 'x' }),
      toolResult('look', words('fresh', 300), { id: 'x' }),
    ];
    const built = squeeze(bodies, 0.8);
    expect(built.steps).toEqual(['leave-out-turns']);
    expect(linesOf(built).at(-1)).toBe(`tool: gets ${words('fresh', 300)} (x)`);
  });

  it('keeps that an output was an error when it becomes a stub', () => {
    const failed = { ...toolResult('look', words('boom', 2_000), { id: 'c', failed: true }) };
    const built = squeeze(
      [user('go'), toolCall('look', {}, { id: 'c' }), failed, assistant('hm'), user('now?')],
      0.5,
    );
    expect(JSON.stringify(built.messages[2])).toContain('"error-text"');
  });

  it('then leaves older turns out, whole and oldest first, and says so', () => {
    const bodies = [1, 2, 3, 4, 5].flatMap((n) => turn(n, { output: 1, answer: 1_200 }));
    const built = squeeze([...bodies, user('now?')], 0.6);
    expect(built.steps).toEqual(['leave-out-turns']);
    const lines = linesOf(built);
    expect(lines[0]).toMatch(/^user: \[Not shown: entries 1–\d+, left out to fit\. They are in the log\.\]$/);
    expect(lines[1]).toMatch(/^user: question \d$/);
    expect(lines.at(-1)).toBe('user: now?');
    const left = Number(/1–(\d+)/.exec(lines[0]!)![1]);
    expect(left % 4).toBe(0);
    expect(built.leftOut).toEqual([
      expect.objectContaining({ what: 'turns', entries: left, reason: 'left out to fit' }),
    ]);
  });

  it('puts a digest in their place when there is one, for this request only', () => {
    const asked: { entries: readonly Entry[]; maxTokens: number }[] = [];
    const digest = (entries: readonly Entry[], maxTokens: number) => {
      asked.push({ entries, maxTokens });
      return summaryOf(`They spoke ${entries.length} times.`);
    };
    const bodies = [1, 2, 3, 4, 5].flatMap((n) => turn(n, { output: 1, answer: 1_200 }));
    const built = squeeze([...bodies, user('now?')], 0.6, { digest });
    expect(built.steps).toEqual(['digest-turns']);
    const last = asked[0]!.entries.at(-1)!;
    expect(linesOf(built)[0]).toMatch(
      new RegExp(
        `^user: \\[Record ${last.id} of entries 1–${last.seq}: history[\\s\\S]*They spoke ${last.seq} times`,
      ),
    );
    expect(asked[0]!.entries.map(({ seq }) => seq)).toEqual(
      Array.from({ length: last.seq }, (_, n) => n + 1),
    );
  });

  it('holds a digest to its budget, however long it is', () => {
    const digest = () => summaryOf(words('endless', 50_000));
    const bodies = [1, 2, 3, 4, 5].flatMap((n) => turn(n, { output: 1, answer: 1_200 }));
    const built = squeeze([...bodies, user('now?')], 0.6, { digest });
    expect(built.steps).toEqual(['digest-turns']);
    const limit = built.window - built.reserve;
    expect(built.parts.find(({ part }) => part === 'summary')!.tokens).toBeLessThanOrEqual(limit / 10);
    expect(linesOf(built)[0]).toContain('endless endless');
  });

  const facts = (name: string, count: number) => ({
    ...summaryOf(`About ${name}.`),
    facts: Array.from({ length: count }, (_, n) => ({
      text: `${name} fact ${n} ${words('detail', 20)}`,
      from: [],
    })),
  });

  it('then shortens summaries, the oldest first', () => {
    const bodies = [
      compaction({ covers: { from: 1, to: 10 }, summary: facts('old', 60) }),
      compaction({ covers: { from: 11, to: 20 }, summary: facts('new', 60) }),
      user(words('question', 1_200)),
    ];
    const built = squeeze(bodies, 0.75);
    expect(built.steps).toEqual(['shorten-summaries']);
    const [old, newer] = linesOf(built);
    expect(old!.length).toBeLessThan(newer!.length / 2);
    expect(old).toContain('entries 1–10');
    expect(newer).toContain('new fact 0');
  });

  it('then makes one of them, with the newest lines', () => {
    const bodies = [
      ...Array.from({ length: 30 }, (_, n) =>
        compaction({ covers: { from: n * 10 + 1, to: n * 10 + 10 }, summary: facts(`part ${n}`, 10) }),
      ),
      user(words('question', 1_500)),
    ];
    const built = squeeze(bodies, 0.2);
    expect(built.steps).toEqual(['shorten-summaries', 'merge-summaries']);
    expect(linesOf(built)).toHaveLength(2);
    expect(linesOf(built)[0]).toMatch(/of entries 1–300: history/);
    expect(built.leftOut.map(({ what, reason }) => `${what}: ${reason}`)).toEqual([
      'summaries: shortened to fit',
      'summaries: merged to fit',
    ]);
  });

  it('never shortens a summary that is pinned', () => {
    const bodies = [
      compaction({ covers: { from: 1, to: 10 }, summary: facts('pinned', 40) }),
      compaction({ covers: { from: 11, to: 20 }, summary: facts('loose', 40) }),
      user('now?'),
    ];
    const marks = marksOf({ pinned: [{ entry: logOf(...bodies)[0]!.id }] });
    const built = squeeze(bodies, 0.8, { marks });
    expect(built.steps).toEqual(['shorten-summaries']);
    expect(linesOf(built)[0]).toContain('pinned fact 0');
    expect(linesOf(built)[0]).toContain('pinned fact 39');
    expect(linesOf(built)[1]).not.toContain('loose fact 0 ');
  });

  it('at last cuts the newest question, if it alone is larger than the room', () => {
    const log = logOf(...turn(1), user(`BEGIN ${words('paste', 20_000)} END`));
    const built = buildContext(stateOf(log), { window: 8_000 });
    expect(built.steps).toEqual(['stub-outputs', 'leave-out-turns', 'cut-messages']);
    expect(linesOf(built).at(-1)).toMatch(/^user: BEGIN paste/);
    expect(linesOf(built).at(-1)).toContain(`[Cut to fit. Entry ${log.at(-1)!.id} has the whole.]`);
    expect(linesOf(built).at(-1)).toMatch(/paste END$/);
    expect(built.tokens).toBeGreaterThan(5_000);
  });

  it('keeps the question whole in a tool loop that is too long, and the newest steps', () => {
    const steps = Array.from({ length: 200 }, (_, n) => {
      const id = `c${n}`;
      return [
        assistant(words(`step${n}`, 30), { calls: [{ name: 'look', id }] }),
        toolResult('look', words('x', 30), { id }),
      ];
    });
    const built = squeeze([user('Keep going until it works.'), ...steps.flat()], 0.15);
    const lines = linesOf(built);
    expect(lines.find((line) => line.startsWith('user: Keep'))).toBe('user: Keep going until it works.');
    expect(lines.at(-2)).toContain('step199');
    expect(lines.at(-1)).toMatch(/^tool: gets x x/);
    expect(lines.some((line) => line.includes('step0 '))).toBe(false);
    expect(lines[0]).toMatch(/Not shown: entries 2–\d+/);
  });

  it('sends neither reasoning nor ids along with an answer that it had to cut', () => {
    const providerOptions = { openai: { itemId: 'rs_1' } };
    const said = assistant('', {
      calls: [{ name: 'write', input: { text: words('long', 9_000) }, id: 'c' }],
      model: 'a:b',
    });
    const parts = [
      { type: 'reasoning', text: 'Hm.', providerOptions },
      ...said.parts.map((part) => ({ ...part, providerOptions })),
    ];
    const built = squeeze([user('go'), { ...said, parts }, toolResult('write', 'ok', { id: 'c' })], 0.3, {
      model: 'a:b',
    });
    expect(built.steps).toEqual(['cut-messages']);
    expect(built.messages[1]!.content).toEqual([
      {
        type: 'tool-call',
        toolCallId: 'c',
        toolName: 'write',
        input: { cut: expect.stringMatching(/Cut to fit\. Entry/) },
      },
    ]);
  });

  it('gives the same answer every time', () => {
    const bodies = [1, 2, 3, 4, 5].flatMap((n) => turn(n));
    expect(squeeze(bodies, 0.5)).toEqual(squeeze(bodies, 0.5));
  });

  it('changes nothing that it was given', () => {
    const log = logOf(...[1, 2, 3, 4, 5].flatMap((n) => turn(n)), user(words('paste', 9_000)));
    const before = structuredClone(log);
    buildContext(stateOf(log), { window: 4_000, maxImages: 0, maxBytes: 9_000 });
    expect(log).toEqual(before);
  });

  it('does not let a change of a message reach the log', () => {
    const log = logOf(user('Hi'));
    const built = buildContext(stateOf(log), { window: 4_000 });
    Object.assign(built.messages[0]!.content[0]!, { text: 'changed' });
    expect(linesOf(buildContext(stateOf(log), { window: 4_000 }))).toEqual(['user: Hi']);
  });
});
