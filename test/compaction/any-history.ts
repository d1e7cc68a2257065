import fc from 'fast-check';
import { expect } from 'vitest';
import { compactSession, listCompactions, PRESETS } from '../../src/compaction/index.ts';
import {
  type Budget,
  type BuiltContext,
  buildContext,
  type ContextState,
  cutAnswers,
  withoutAnswers,
} from '../../src/context/index.ts';
import { isThroughlineError } from '../../src/errors.ts';
import {
  type Entry,
  type EntryBody,
  type Part,
  standingInstructions,
  type Target,
} from '../../src/record/index.ts';
import {
  collapseCompactions,
  createSession,
  excludeEntries,
  expandCompactions,
  forkSession,
  includeEntries,
  openSession,
  pinEntries,
  readConversation,
  type Session,
  unpinEntries,
} from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import {
  endsWithTheQuestion,
  fits,
  hidesExcluded,
  holdsPins,
  keepsOrder,
  staysInBounds,
} from '../context/context-rules.ts';
import { anyEvent, bodiesOf } from '../context/events.ts';
import { common, MODELS } from '../context/provider-rules.ts';
import { contextOf } from '../support/context-of.ts';

// Conversations as they really come about: through a session and its store, with everything that people do to them.

/** A text of so many words that does not repeat, about 6 bytes each. */
const longText = (words: number) =>
  Array.from({ length: words }, (_, n) => `w${(n * 2654435761) % 99_991}`).join(' ');
const picture = (kilobytes: number, n: number): Part => ({
  type: 'file',
  mediaType: 'image/png',
  data: Buffer.alloc(kilobytes * 1024, n + 1).toString('base64'),
});
const bigQuestion = fc.constantFrom(6_000, 80_000, 200_000).map(longText);
const asked = fc.oneof(
  bigQuestion.map((text): Part[] => [{ type: 'text', text: `Read this: ${text}` }]),
  fc
    .tuple(fc.constantFrom(1, 40, 300, 700), fc.integer({ min: 1, max: 3 }))
    .map(([kilobytes, count]): Part[] => [
      { type: 'text', text: 'Compare these' },
      ...Array.from({ length: count }, (_, n) => picture(kilobytes, n)),
    ]),
);

const share = fc.double({ min: 0, max: 1, noNaN: true });
const act = <T extends string>(...names: T[]) => fc.constantFrom(...names);
const anyStep = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: act('talk'), event: anyEvent }) },
  { weight: 1, arbitrary: fc.record({ do: act('ask'), parts: asked }) },
  { weight: 6, arbitrary: fc.record({ do: act('compact'), keep: fc.nat(6), fanout: fc.constantFrom(2, 4) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: act('pin', 'pin', 'unpin', 'exclude', 'include'),
      at: share,
      more: fc.option(fc.nat(4), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: act('expand', 'collapse'), at: share }) },
  { weight: 1, arbitrary: fc.record({ do: act('fork'), at: share }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: act('look'),
      window: fc.constantFrom(4_000, 16_384, 128_000, 1_000_000),
      bounded: fc.boolean(),
      model: fc.constantFrom(...Object.keys(MODELS)),
    }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** What somebody does with a session, at most so many times; it always ends with a look at the context. */
export function anyDeeds({ most }: { most: number }): fc.Arbitrary<Step[]> {
  const look = { do: 'look', window: 1_000_000, bounded: true, model: 'anthropic:claude' } as const;
  return fc.array(anyStep, { minLength: 4, maxLength: most, size: 'max' }).map((steps) => [...steps, look]);
}

/** Does it all, and checks after each deed that the log only grew and that everything in it can be had back. */
export async function checkDeeds(store: Store, steps: readonly Step[]): Promise<void> {
  let session = await createSession(store, { id: 's' });
  for (const [n, step] of steps.entries()) {
    const before = (await session.read()).map((entry) => JSON.stringify(entry));
    session = await take(session, step, n);
    const after = (await session.read()).map((entry) => JSON.stringify(entry));
    const shared = step.do === 'fork' ? Math.min(before.length, after.length) : before.length;
    expect(after.slice(0, shared)).toEqual(before.slice(0, shared));
    await expectInOrder(session);
  }
  await expectEachBack(session);
}

async function take(session: Session, step: Step, n: number): Promise<Session> {
  const entries = await session.read();
  const at = (place: number) => entries[Math.min(entries.length - 1, Math.floor(place * entries.length))];
  switch (step.do) {
    case 'talk':
      await session.append(bodiesOf(step.event, n));
      return session;
    case 'ask':
      await session.append([question(step.parts, n)]);
      return session;
    case 'compact':
      await compactAndUndo(session, { keep: step.keep, fanout: step.fanout });
      return session;
    case 'expand':
    case 'collapse': {
      const all = await listCompactions(session.store, session.info);
      const chosen = all[Math.floor(step.at * all.length)];
      if (chosen) await MARKS[step.do](session, { entry: chosen.id });
      return session;
    }
    case 'fork': {
      const info = await forkSession(session.store, session.info, {
        at: Math.floor(step.at * session.info.head),
        id: `fork-${n}`,
      });
      return openSession(session.store, info.id);
    }
    case 'look':
      await look(session, step);
      return session;
    default: {
      const entry = at(step.at);
      if (!entry) return session;
      const to = Math.min(entry.seq + (step.more ?? 0), session.info.head);
      await MARKS[step.do](session, step.more === undefined ? { entry: entry.id } : { from: entry.seq, to });
      return session;
    }
  }
}

const MARKS = {
  pin: pinEntries,
  unpin: unpinEntries,
  exclude: excludeEntries,
  include: includeEntries,
  expand: expandCompactions,
  collapse: collapseCompactions,
};

function question(parts: readonly Part[], n: number): EntryBody {
  const [first, ...rest] = parts;
  const text = `[ask ${n}] ${first!.text}`;
  return { kind: 'message', role: 'user', parts: [{ ...first!, text }, ...rest] };
}

const frontierOf = async (session: Session) =>
  (await readConversation(session.store, await session.refresh())).frontier;

/** Compacts; what was made, merges included, can be opened to exactly what was there before, and closed again. */
async function compactAndUndo(session: Session, how: { keep: number; fanout: number }): Promise<void> {
  const { head } = session.info;
  const before = JSON.stringify(await frontierOf(session));
  const settings = { ...PRESETS.window, keep: { messages: how.keep }, fanout: how.fanout };
  const made = await compactSession(session, { settings }).catch((error: unknown) => {
    if (isThroughlineError(error, 'nothing-to-compact') || isThroughlineError(error, 'summary-rejected'))
      return undefined;
    throw error;
  });
  if (!made) return;
  const after = JSON.stringify(await frontierOf(session));
  expect(after).not.toBe(before);
  const notes = await session.read({ after: head, only: 'notes' });
  const fresh = notes.filter(({ body }) => body.kind === 'compaction').map(({ id }) => ({ entry: id }));
  await expandCompactions(session, ...fresh);
  expect(JSON.stringify(await frontierOf(session))).toBe(before);
  await collapseCompactions(session, ...fresh);
  expect(JSON.stringify(await frontierOf(session))).toBe(after);
}

/** Where in the conversation an entry of the frontier stands. */
const placeOf = ({ seq, body }: Entry) => (body.kind === 'compaction' ? body.covers : { from: seq, to: seq });

/** Every message is on the frontier itself or under exactly one summary, in the order it was said. */
async function expectInOrder(session: Session): Promise<void> {
  const frontier = (await frontierOf(session)).map(placeOf);
  for (const [index, { from }] of frontier.entries())
    if (index > 0) expect(from).toBeGreaterThan(frontier[index - 1]!.to);
  const messages = await session.read({ only: 'messages' });
  const missing = messages.filter(({ seq }) => !frontier.some(({ from, to }) => from <= seq && seq <= to));
  expect(missing).toEqual([]);
}

/** Opening any one compaction gives back what it covers, byte for byte, and leaves everything else as it was. */
async function expectEachBack(session: Session): Promise<void> {
  const log = new Map((await session.read()).map((entry) => [entry.id, entry]));
  // Whole, or (old and very large) as the log holds it: with a reference to the rest.
  const forms = async (entry: Entry) =>
    [entry, await session.whole(entry)].map((form) => JSON.stringify(form));
  for (const { id, covers } of await listCompactions(session.store, await session.refresh())) {
    await expandCompactions(session, { entry: id });
    const frontier = await frontierOf(session);
    expect(frontier.map((entry) => entry.id)).not.toContain(id);
    for (const entry of frontier) expect(await forms(log.get(entry.id)!)).toContain(JSON.stringify(entry));
    await expectInOrder(session);
    const inside = frontier.map(placeOf).filter(({ from, to }) => from <= covers.to && to >= covers.from);
    // A deleted compaction blocks nothing: later ones may cover a part of its range and more.
    const isDeleted = session.info.state.removed.some((target) => 'entry' in target && target.entry === id);
    if (!isDeleted) expect(inside.every(({ from, to }) => covers.from <= from && to <= covers.to)).toBe(true);
    await collapseCompactions(session, { entry: id });
  }
}

/** What the model is sent, against what the log holds, word for word: not against what was read for it. */
async function look(
  session: Session,
  { window, bounded, model }: { window: number; bounded: boolean; model: string },
): Promise<void> {
  const budget: Budget = { window, ...(bounded && { maxBytes: 24 * 1024 * 1024, maxImages: 20 }) };
  const info = await session.refresh();
  const entries = await Promise.all((await session.read()).map((entry) => session.whole(entry)));
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const wholeOf = (some: readonly Entry[]) => some.map(({ id }) => known.get(id)!);
  const conversation = await readConversation(session.store, info);
  const { frontier, pinned } = withoutAnswers(conversation, cutAnswers(conversation.frontier));
  const state: ContextState = {
    head: [],
    frontier: wholeOf(frontier),
    pinned: wholeOf(pinned),
    marks: conversation.marks,
    model,
  };
  const built = await contextOf(session.store, info, { budget, model }).catch((error: unknown) => {
    if (!isThroughlineError(error, 'head-too-large')) throw error;
    expectTooLarge(state, budget);
    return undefined;
  });
  const hidden = [...conversation.marks.excluded, ...conversation.marks.removed];
  if (!built || (frontier.length === 0 && pinned.every((entry) => isMarked(hidden, entry)))) return;
  const log = entries.filter(({ body }) => body.kind === 'message');
  const truth = { state, budget, options: {}, log };
  const rules = [fits, staysInBounds, endsWithTheQuestion, holdsPins, hidesExcluded, keepsOrder];
  const wrong = [
    ...rules.flatMap((rule) => rule(truth, built)),
    ...common(built.messages),
    ...MODELS[model]!(built.messages),
    ...sendsPictures(state, built),
  ];
  expect(wrong).toEqual([]);
}

const isMarked = (targets: readonly Target[], { id, seq }: Entry) =>
  targets.some((target) =>
    'entry' in target ? target.entry === id : target.from <= seq && seq <= target.to,
  );
const isQuestion = ({ body }: Entry) => body.kind === 'message' && body.role === 'user';

function newestQuestion({ frontier, marks }: ContextState): Entry | undefined {
  const hidden = [...marks.excluded, ...marks.removed];
  return frontier.findLast((entry) => isQuestion(entry) && !isMarked(hidden, entry));
}

/** The pictures of the newest question reach the model, unless there are more than fit. */
function sendsPictures(state: ContextState, { messages, steps }: BuiltContext): string[] {
  if (steps.includes('bound-media') || steps.includes('cut-messages')) return [];
  const count = (parts: readonly unknown[]) =>
    parts.filter((part) => JSON.stringify(part).includes('"mediaType":"image/png"')).length;
  const body = newestQuestion(state)?.body;
  const wanted = body?.kind === 'message' ? count(body.parts) : 0;
  const sent = count(messages.findLast(({ role }) => role === 'user')?.content ?? []);
  return sent === wanted ? [] : [`${sent} of ${wanted} pictures of the newest question`];
}

/** It may only give up when the question alone, with the first instructions and the pins, does not fit either. */
function expectTooLarge(state: ContextState, budget: Budget): void {
  const asked = newestQuestion(state);
  const pinned = state.frontier.filter((entry) => isMarked(state.marks.pinned, entry) && entry !== asked);
  const frontier = [...standingInstructions(state.frontier), ...(asked ? [asked] : [])];
  const bare = { ...state, frontier, pinned: [...state.pinned, ...pinned] };
  expect(() => buildContext(bare, budget)).toThrow(expect.objectContaining({ code: 'head-too-large' }));
}
