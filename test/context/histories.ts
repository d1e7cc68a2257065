import fc from 'fast-check';
import type { Budget, ContextOptions, ContextState } from '../../src/context/index.ts';
import { deriveEntryId, type Entry, type EntryBody, type Part, type Target } from '../../src/record/index.ts';
import { compaction, merge, restoration, summaryOf } from '../../src/testing/index.ts';
import { countMessage, countText } from '../../src/tokens/index.ts';
import { anyText } from '../record/arbitraries.ts';
import { anyEvent, bodiesOf } from './events.ts';
import { MODELS } from './provider-rules.ts';

/** A conversation with everything that happens to one, a window to fit it into, and how to go about it. */
export interface History {
  readonly state: ContextState;
  readonly budget: Budget;
  readonly options: ContextOptions;
  /** What was said, covered or not. */
  readonly log: readonly Entry[];
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const range = fc.tuple(share, share).map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)));

const anyMark = fc.record({
  mark: fc.constantFrom('pinned', 'pinned', 'excluded', 'removed'),
  at: share,
  /** Entries after the first, for a range. */
  more: fc.option(fc.nat(5), { nil: undefined }),
});

const anyHead = fc.array(
  fc.record({
    part: fc.constantFrom('agent', 'project', 'instructions', 'memory'),
    text: fc.oneof(
      anyText,
      fc.nat(300).map((words) => 'standing order '.repeat(words)),
    ),
  }),
  { maxLength: 3 },
);

const anyTools = fc.array(
  fc.record({
    name: fc.constantFrom('look', 'run'),
    description: anyText,
    inputSchema: fc.constant({ type: 'object' }),
  }),
  { maxLength: 2 },
);

const anyWindow = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(4_000, 8_192, 16_384, 32_000) },
  { weight: 2, arbitrary: fc.constantFrom(128_000, 200_000, 1_000_000) },
  fc.integer({ min: 4_000, max: 1_000_000 }),
);

const anyBudget = fc.record(
  {
    window: anyWindow,
    outputLimit: fc.constantFrom(500, 4_096, 32_000, 1_000_000),
    reserve: fc.constantFrom(1, 1_000, 64_000, 1_000_000),
    maxBytes: fc.constantFrom(60_000, 1_000_000, 32_000_000),
    maxImages: fc.constantFrom(0, 1, 3, 20),
    recallTokens: fc.constantFrom(0, 100, 5_000),
    correct: fc.constantFrom(
      (tokens: number) => tokens * 1.13,
      (tokens: number) => Math.ceil(tokens * 0.8) + 50,
    ),
  },
  { requiredKeys: ['window'], noNullPrototype: true },
);

const digests: Record<string, NonNullable<ContextOptions['digest']>> = {
  short: (entries) => summaryOf(`Digest of ${entries.length} entries.`),
  endless: (entries) => ({
    ...summaryOf('Much was said. '.repeat(500)),
    facts: entries.map(({ id }) => ({ text: `fact of ${id} `.repeat(20), from: [id] })),
  }),
};

/** A history of at most so many events; each event is one to ten entries. */
export function anyHistory({ most }: { most: number }): fc.Arbitrary<History> {
  return fc
    .record({
      events: fc.array(anyEvent, { maxLength: most, size: 'max' }),
      restored: fc.boolean(),
      merged: fc.array(fc.tuple(share, fc.nat(1_000)), { maxLength: 2 }),
      covered: fc.array(fc.tuple(range, fc.nat(3_000)), { maxLength: 4 }),
      chain: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(40)),
      marks: fc.array(anyMark, { maxLength: 5 }),
      head: anyHead,
      tools: fc.option(anyTools, { nil: undefined }),
      budget: anyBudget,
      digest: fc.constantFrom(undefined, 'short', 'endless'),
      recall: fc.option(fc.array(anyText, { maxLength: 4 }), { nil: undefined }),
      model: fc.constantFrom(...Object.keys(MODELS)),
    })
    .map(
      ({ events, restored, merged, covered, chain, marks, head, tools, budget, digest, recall, model }) => {
        const older = Array.from({ length: chain * 3 }, (_, index) => saidLongAgo(index));
        const bodies = [...older, ...events.flatMap((event, index) => bodiesOf(event, index))];
        const log = bodies.map((body, index) => entryOf(body, index + 1));
        const marked = marksOf(marks, log);
        const frontier = [
          ...(restored
            ? [entryOf(restoration('before', summaryOf('What the session before was about.')), 1)]
            : []),
          ...cover(log, [
            ...chained(chain),
            ...covered.map(([part, words]) => [spread(part, log.length), words] as const),
          ]),
        ];
        for (const [index, [at, words]] of merged.entries()) {
          const body = merge({
            branch: 'b',
            summary: { ...summaryOf('What a branch came to.'), facts: facts(words) },
          });
          frontier.splice(Math.floor(at * frontier.length), 0, entryOf(body, log.length + 100 + index));
        }
        const standing = new Set(frontier);
        const isPinned = (entry: Entry) =>
          marked.pinned.some((target) =>
            'entry' in target ? target.entry === entry.id : inRange(entry, target),
          );
        const state: ContextState = {
          head,
          ...(tools && { tools }),
          frontier,
          pinned: log.filter((entry) => !standing.has(entry) && isPinned(entry)),
          marks: marked,
          ...(recall && {
            recall: recall.map((text, seq) => ({
              entry: deriveEntryId('recalled', `${seq}`),
              seq,
              role: 'user',
              text,
            })),
          }),
          model,
        };
        const history = {
          state,
          budget: budget as Budget,
          options: digest ? { digest: digests[digest]! } : {},
          log,
        };
        return Object.assign(history, { [fc.toStringMethod]: () => outline(history) });
      },
    );
}

export function entryOf(body: EntryBody, seq: number): Entry {
  // A store counts foreign objects with a `$blob` key as what they are; here they only have to count something.
  const tokens = body.kind === 'message' ? countMessage(body) || countText(JSON.stringify(body)) : 100;
  return { id: deriveEntryId(body.kind, `${seq}`), seq, at: seq * 1000, tokens, body };
}

function saidLongAgo(index: number): EntryBody {
  const role = index % 2 === 0 ? 'user' : 'assistant';
  return { kind: 'message', role, parts: [{ type: 'text', text: `old ${index}` }] };
}

/** Chains of compactions over what was said long ago, three messages each. */
function chained(length: number): (readonly [readonly [number, number], number])[] {
  return Array.from({ length }, (_, index) => [[index * 3 + 1, index * 3 + 3], 40] as const);
}

function spread([from, to]: readonly [number, number], length: number): readonly [number, number] {
  return [
    Math.floor(from * length) + 1,
    Math.max(Math.floor(from * length) + 1, Math.floor(to * length * 0.9)),
  ];
}

/** The log with ranges of it replaced by compactions; ranges that overlap an earlier one are not taken. */
function cover(
  log: readonly Entry[],
  ranges: readonly (readonly [readonly [number, number], number])[],
): Entry[] {
  const taken = new Map<number, Entry>();
  for (const [index, [[from, to], words]] of ranges.entries()) {
    if (to > log.length) continue;
    const seqs = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
    if (seqs.some((seq) => taken.has(seq))) continue;
    const summary = { ...summaryOf(`Summary ${index}. `), facts: facts(words) };
    const entry = entryOf(compaction({ covers: { from, to }, summary }), log.length + 1 + index);
    for (const seq of seqs) taken.set(seq, entry);
  }
  return [...new Set(log.map((entry) => taken.get(entry.seq) ?? entry))];
}

function facts(words: number): { text: string; from: [] }[] {
  return Array.from({ length: Math.ceil(words / 20) }, (_, n) => ({
    text: `fact ${n} ${'word '.repeat(18)}`,
    from: [],
  }));
}

function marksOf(
  marks: readonly { mark: string; at: number; more: number | undefined }[],
  log: readonly Entry[],
): ContextState['marks'] {
  const targets = (kind: string): Target[] =>
    marks.flatMap(({ mark, at, more }) => {
      const entry = log[Math.min(log.length - 1, Math.floor(at * log.length))];
      if (mark !== kind || !entry) return [];
      return [more === undefined ? { entry: entry.id } : { from: entry.seq, to: entry.seq + more }];
    });
  return { pinned: targets('pinned'), excluded: targets('excluded'), removed: targets('removed') };
}

export function inRange({ seq }: Entry, { from, to }: { from: number; to: number }): boolean {
  return from <= seq && seq <= to;
}

export function textsOf(parts: readonly Part[]): string[] {
  return parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
}

/** What a person needs to see of a history that failed: megabytes of text do not help. */
function outline({ state, budget }: History): string {
  const shorten = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > 60 ? `${value.slice(0, 40)}… ${value.length} long` : value;
  const frontier = state.frontier.map(({ seq, tokens, body }) => ({ seq, tokens, ...body }));
  return JSON.stringify({ budget, ...state, frontier, log: undefined }, shorten);
}
