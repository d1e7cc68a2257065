import fc from 'fast-check';
import { expect } from 'vitest';
import { deriveEntryId, type Entry, type SummaryLine } from '../../src/record/index.ts';
import { EMPTY_CHECKPOINT } from '../../src/summary/index.ts';
import { countText } from '../../src/tokens/index.ts';
import { layoutRequest, type RequestParts, type WorkSessionContext } from '../../src/work/index.ts';
import { toLine } from '../../src/work/request/read-session.ts';
import { anyText } from '../record/arbitraries.ts';

export const lines = (...texts: string[]): SummaryLine[] => texts.map((text) => ({ text, from: [] }));

export const CONTEXT: WorkSessionContext = {
  sessionId: 's',
  type: 'dev-task',
  featureId: 'auth',
  taskId: 'login',
  project: {
    structure: { root: 'shop', files: 1, folders: [{ path: 'src', files: ['login.ts'] }] },
    claudeMd: 'Use tabs.',
    recentCommits: [{ hash: 'abc1234', subject: 'Begin', author: 'Anna', date: '2025-12-30T11:21:53Z' }],
  },
  feature: {
    name: 'Sign in',
    spec: 'The spec.',
    tasks: [{ id: 'login', title: 'Login', state: 'in_dev', dependsOn: [] }],
  },
  task: { title: 'Login', description: 'Two fields.', dependencies: [], dependents: [] },
  updatedAt: '2025-12-30T11:21:53.000Z',
  tokens: 100,
};

/** A message as a request shows it. */
export const said = (seq: number, role: 'user' | 'assistant', text: string): Entry =>
  toLine({
    id: deriveEntryId('said', String(seq)),
    seq,
    at: 0,
    tokens: 0,
    body: { kind: 'message', role, parts: [{ type: 'text', text }] },
  })!;

const long = fc.tuple(anyText, fc.nat(400)).map(([text, times]) => `${text} ${text}x`.repeat(times));
const list = fc.array(long, { maxLength: 30 }).map((texts) => lines(...texts));
const messages = fc
  .array(fc.tuple(fc.constantFrom('user' as const, 'assistant' as const), long), { maxLength: 30 })
  .map((all) => all.map(([role, text], index) => said(index + 1, role, `${text.toWellFormed()}.`)));
const parts: fc.Arbitrary<RequestParts> = fc.record({
  role: anyText.map((text) => `# Your Role\n\n${text.slice(0, 200)}`),
  head: fc.array(fc.record({ part: fc.constantFrom('agent', 'system', 'memory'), text: long }), {
    maxLength: 3,
  }),
  recalled: fc.array(long, { maxLength: 6 }).map((texts) =>
    texts.map((text, index) => ({
      entry: deriveEntryId('recalled', String(index)),
      seq: index + 1,
      role: 'user',
      text,
    })),
  ),
  context: fc.tuple(long, long, long).map(([claudeMd, spec, description]) => ({
    ...CONTEXT,
    project: { ...CONTEXT.project, claudeMd },
    feature: { ...CONTEXT.feature!, spec },
    task: { ...CONTEXT.task!, description },
  })),
  shown: list.map((completed) => [{ session: 'other', checkpoint: { ...EMPTY_CHECKPOINT, completed } }]),
  checkpoint: fc.tuple(list, list, list, list).map(([completed, pending, decisions, blockers]) => ({
    ...EMPTY_CHECKPOINT,
    completed,
    pending,
    decisions,
    blockers,
  })),
  messages,
  loop: fc.option(
    long.map((lastError) => ({
      kind: 'loop' as const,
      iteration: 1,
      passed: [],
      failed: ['test'],
      lastError,
    })),
    { nil: undefined },
  ),
  userMessage: long,
});

/** Whatever a request is made of, it is under its budget and holds the role, and the question if that is not too long. */
export function checkAnyRequest(numRuns: number): void {
  fc.assert(
    fc.property(parts, fc.integer({ min: 1000, max: 60_000 }), (given, budget) => {
      const { systemPrompt, userPrompt, totalTokens } = layoutRequest(given, budget);
      expect(totalTokens).toBeLessThanOrEqual(budget);
      expect(countText(systemPrompt) + countText(userPrompt)).toBe(totalTokens);
      expect([systemPrompt.isWellFormed(), userPrompt.isWellFormed()]).toEqual([true, true]);
      expect(systemPrompt.startsWith(given.role.toWellFormed())).toBe(true);
      if (countText(given.userMessage) < budget / 2)
        expect(userPrompt).toBe(given.userMessage.toWellFormed());
    }),
    { numRuns },
  );
}

const isShort = (text: string) => text.length < 60;
const short = anyText.filter(isShort).map((text) => text.toWellFormed().trim());
const talk = fc.array(
  fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const),
    text: fc.oneof(
      { weight: 8, arbitrary: short },
      { weight: 1, arbitrary: short.map((text) => `${text} word`.repeat(120)) },
    ),
    mark: fc.constantFrom('none', 'none', 'none', 'none', 'pinned', 'excluded'),
  }),
  { maxLength: 40 },
);

/** Whatever is marked, if the pins fit: pins are whole, excluded messages gone, and the rest accounted for. */
export function checkAnyConversation(numRuns: number): void {
  fc.assert(
    fc.property(talk, fc.integer({ min: 2500, max: 9000 }), (given, budget) => {
      // Each message has a number of its own, so that no other text says the same.
      const all = given.map(({ role, text, mark }, index) => ({
        mark,
        text: `#${index + 1}: ${text}#${index + 1}.`,
        entry: said(index + 1, role, `#${index + 1}: ${text}#${index + 1}.`),
      }));
      const marked = (mark: string) =>
        all.flatMap((one) => (one.mark === mark ? [{ entry: one.entry.id }] : []));
      const parts = {
        role: '# Your Role',
        context: CONTEXT,
        shown: [],
        checkpoint: EMPTY_CHECKPOINT,
        messages: all.map(({ entry }) => entry),
        marks: { pinned: marked('pinned').slice(0, 3), excluded: marked('excluded'), removed: [] },
        userMessage: 'Go on.',
      };
      const pins = new Set(parts.marks.pinned.map(({ entry }) => entry));
      // A cut message and the notes around pins take some room as well.
      const pinned = parts.messages
        .filter(({ id }) => pins.has(id))
        .reduce((sum, { tokens }) => sum + tokens, 0);
      if (pinned > budget * 0.7) return;
      const { systemPrompt, totalTokens } = layoutRequest(parts, budget);
      expect(totalTokens).toBeLessThanOrEqual(budget);
      const isIn = ({ text }: { text: string }) => systemPrompt.includes(text);
      const open = all.filter(({ mark }) => mark !== 'excluded');
      expect(all.filter((one) => one.mark === 'excluded' && isIn(one))).toEqual([]);
      expect(open.filter((one) => pins.has(one.entry.id) && !isIn(one))).toEqual([]);
      const left = Number(/\((\d+) earlier messages? (?:is|are) not shown\.\)/.exec(systemPrompt)?.[1] ?? 0);
      const cut = systemPrompt.match(/\[Cut to fit\. Entry [^\]]*\]/g)?.length ?? 0;
      expect(open.filter(isIn).length + cut + left).toBe(open.length);
      const whole = open.reduce((sum, { entry }) => sum + entry.tokens, 0);
      if (whole < budget * 0.5) expect([left, cut]).toEqual([0, 0]);
    }),
    { numRuns },
  );
}
