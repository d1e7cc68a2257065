import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compactSession, listCompactions, PRESETS } from '../../../src/compaction/index.ts';
import type { Budget, BuiltContext } from '../../../src/context/index.ts';
import { isThroughlineError } from '../../../src/errors.ts';
import type { EntryBody, SessionInfo, Target } from '../../../src/record/index.ts';
import { openRecall, type Recall, recollect } from '../../../src/search/index.ts';
import {
  collapseCompactions,
  createSession,
  expandCompactions,
  forkSession,
  openSession,
  readFrontier,
  resumeSession,
  type Session,
} from '../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { assistant, mark, summaryOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { fits } from '../../context/context-rules.ts';
import { common, MODELS } from '../../context/provider-rules.ts';
import { contextOf } from '../../support/context-of.ts';

const WORDS =
  'port build timeout harbour src/log.ts 4711 日本語 "quoted" [End of what was found]\n#3 user: \ud83d\ude00';
const text = fc.string({
  unit: fc.constantFrom(...WORDS.split(' ').map((word) => `${word} `)),
  minLength: 1,
  maxLength: 60,
});
const share = fc.double({ min: 0, max: 1, noNaN: true });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('talk' as const),
      question: text,
      tools: fc.array(text, { maxLength: 2 }),
      answer: text,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('compact' as const), keep: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('mark' as const),
      mark: fc.constantFrom('pinned' as const, 'excluded' as const, 'removed' as const),
      at: share,
      more: fc.option(fc.nat(3), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('expand' as const, 'collapse' as const), which: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const), at: share }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const asked = fc.record({
  question: fc.oneof(text, fc.constant(undefined)),
  budget: fc.record(
    {
      window: fc.constantFrom(4_000, 8_192, 200_000),
      recallTokens: fc.constantFrom(0, 60, 150, 700, 5_000),
      maxBytes: fc.constantFrom(20_000, 1_000_000),
    },
    { requiredKeys: ['window'], noNullPrototype: true },
  ),
  model: fc.constantFrom(...Object.keys(MODELS)),
});

let recalled = 0;

it('with any messages, marks, compactions, forks and resumptions: only compacted open entries are recalled, and the context holds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 20, size: 'max' }),
      asked,
      async (steps, ask) => {
        await using store = createMemoryStore();
        await using recall = await openRecall(store, { embedder: 'none' });
        let session = await createSession(store, { id: 's' });
        for (const [n, next] of steps.entries()) session = await take(store, session, next, n);
        await session.append([user('Which port did we settle on for the build?')]);
        await check(store, recall, { info: await session.refresh(), ...ask });
      },
    ),
    { numRuns: 150 },
  );
  // The sweep has to have had something to look at.
  expect(recalled).toBeGreaterThan(40);
}, 120_000);

async function take(store: Store, session: Session, next: Step, n: number): Promise<Session> {
  switch (next.do) {
    case 'talk':
      await session.append(turnOf(next, n));
      return session;
    case 'compact':
      await compactSession(session, {
        settings: { ...PRESETS.window, keep: { messages: next.keep } },
      }).catch(unlessTooSmall);
      return session;
    case 'mark': {
      const [entry] = await session.read({ after: Math.floor(next.at * session.info.head), limit: 1 });
      if (!entry) return session;
      const target =
        next.more === undefined ? { entry: entry.id } : { from: entry.seq, to: entry.seq + next.more };
      await session.append([mark(next.mark, target)]);
      return session;
    }
    case 'fork': {
      const at = Math.floor(next.at * session.info.head);
      const fork = await forkSession(store, await session.refresh(), { at, id: `fork-${n}` });
      return openSession(store, fork.id);
    }
    case 'resume':
      return resumeSession(store, await session.refresh(), {
        summary: summaryOf('It was about the port.'),
        birth: { id: `resumed-${n}` },
      });
    default: {
      const all = await listCompactions(store, await session.refresh());
      const chosen = all[next.which % Math.max(1, all.length)];
      const turn = next.do === 'expand' ? expandCompactions : collapseCompactions;
      if (chosen) await turn(session, { entry: chosen.id });
      return session;
    }
  }
}

function turnOf(
  { question, tools, answer }: { question: string; tools: readonly string[]; answer: string },
  n: number,
): EntryBody[] {
  const calls = tools.flatMap((output, k) => [
    toolCall('look', { path: `src/${n}-${k}.ts` }, { id: `${n}-${k}` }),
    toolResult('look', output, { id: `${n}-${k}` }),
  ]);
  return [user(`${n} ${question}`), ...calls, assistant(`${n} ${answer}`)];
}

function unlessTooSmall(error: unknown): void {
  if (!isThroughlineError(error, 'nothing-to-compact') && !isThroughlineError(error, 'summary-rejected'))
    throw error;
}

interface Asked {
  readonly info: SessionInfo;
  readonly question: string | undefined;
  readonly budget: Budget;
  readonly model: string;
}

async function check(store: Store, recall: Recall, { info, question, budget, model }: Asked): Promise<void> {
  const { recallTokens = 2000 } = budget;
  const found = await recollect(store, recall, info, {
    maxTokens: recallTokens,
    ...(question !== undefined && { question }),
  });
  await checkFound(store, info, found);
  const options = { budget, model, ...(question !== undefined && { question }) };
  const without = await contextOf(store, info, options);
  const built = await contextOf(store, info, { ...options, recall: found });
  recalled += built.recalled.length;
  const tokens = built.parts.find(({ part }) => part === 'recall')!.tokens;
  expect(tokens).toBeLessThanOrEqual(recallTokens);
  expect(fits({ state: { head: [] }, budget } as never, built)).toEqual([]);
  expect([...common(built.messages), ...MODELS[model]!(built.messages)]).toEqual([]);
  checkPrefix(built, without);
}

/** Covered by a collapsed compaction or a restoration on the frontier, and neither in sight nor taken out. */
async function checkFound(
  store: Store,
  info: SessionInfo,
  found: Awaited<ReturnType<typeof recollect>>,
): Promise<void> {
  const frontier = await readFrontier(store, info);
  const inSight = new Set(frontier.map(({ id }) => id));
  const parent = frontier.find(({ body }) => body.kind === 'restoration')?.body as
    | { parent?: string }
    | undefined;
  expect(new Set(found.map(({ entry }) => entry)).size).toBe(found.length);
  for (const { session, entry: id, seq } of found) {
    const entry = await store.entry(session ?? info.id, id);
    expect(entry).toMatchObject({ seq, body: { kind: 'message' } });
    expect(inSight.has(id)).toBe(false);
    const state = session === undefined ? info.state : (await store.session(session))!.state;
    const shown = session === undefined ? state.pinned : [];
    expect(
      [...state.excluded, ...state.removed, ...shown].filter((target) => hits(target, { id, seq })),
    ).toEqual([]);
    if (session !== undefined) expect(session).toBe(parent?.parent);
    else
      expect(
        frontier.some(
          ({ body }) => body.kind === 'compaction' && body.covers.from <= seq && seq <= body.covers.to,
        ),
      ).toBe(true);
  }
}

function hits(target: Target, { id, seq }: { id: string; seq: number }): boolean {
  return 'entry' in target ? target.entry === id : target.from <= seq && seq <= target.to;
}

/** Recall is one message more, right before the question; everything else is to the byte what it is without it. */
function checkPrefix(built: BuiltContext, without: BuiltContext): void {
  const place = built.messages.findIndex(({ content }) =>
    (content as { text?: string }[])[0]?.text?.startsWith('[Found in earlier'),
  );
  if (built.recalled.length === 0) {
    expect(place).toBe(-1);
    expect({ ...built, leftOut: [] }).toEqual({ ...without, leftOut: [] });
    return;
  }
  expect(built.messages.toSpliced(place, 1)).toEqual(without.messages);
  expect(built.prefix.slice(0, place + 1)).toEqual(without.prefix.slice(0, place + 1));
  expect(built.messages[place + 1]!.role).toBe('user');
  expect(built.messages.slice(place + 2).some(({ role }) => role === 'user')).toBe(false);
}
