import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compactSession, listCompactions, PRESETS } from '../../src/compaction/index.ts';
import { isThroughlineError } from '../../src/errors.ts';
import type { Entry, EntryBody } from '../../src/record/index.ts';
import {
  collapseCompactions,
  createSession,
  expandCompactions,
  forkSession,
  openSession,
  readConversation,
  type Session,
} from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, toolCall, toolResult, user } from '../../src/testing/index.ts';

const text = fc.string({
  unit: fc.constantFrom('word ', 'src/a.ts ', '42 ', '日本', '\ud800', '\n'),
  minLength: 30,
  maxLength: 120,
});
const turn = fc.record({
  question: text,
  tools: fc.array(text, { maxLength: 4 }),
  answer: text,
  interrupted: fc.boolean(),
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('talk' as const), turn }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('compact' as const), keep: fc.nat(6) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('expand' as const, 'collapse' as const), which: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const), at: fc.nat(100) }) },
);

function bodiesOf(
  {
    question,
    tools,
    answer,
    interrupted,
  }: { question: string; tools: string[]; answer: string; interrupted: boolean },
  n: number,
): EntryBody[] {
  const steps = tools.flatMap((output, k) => {
    const call = toolCall('read', { path: `src/${n}-${k}.ts` }, { id: `${n}-${k}` });
    return interrupted && k === tools.length - 1
      ? [call]
      : [call, toolResult('read', output, { id: `${n}-${k}` })];
  });
  return [user(`${n} ${question}`), ...steps, ...(interrupted ? [] : [assistant(answer)])];
}

const frontierOf = async (session: Session) =>
  (await readConversation(session.store, await session.refresh())).frontier;

/** Where in the conversation an entry of the frontier stands. */
const placeOf = ({ seq, body }: Entry) => (body.kind === 'compaction' ? body.covers : { from: seq, to: seq });

it('whatever is said, compacted, expanded, collapsed and forked, nothing changes in the log and everything can be had back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25, size: 'max' }), async (steps) => {
      const store = createMemoryStore();
      let session = await createSession(store, { id: 's' });
      for (const [n, next] of steps.entries()) {
        const before = await session.read();
        if (next.do === 'talk') await session.append(bodiesOf(next.turn, n));
        if (next.do === 'compact') {
          await compactSession(session, {
            settings: { ...PRESETS.window, keep: { messages: next.keep } },
          }).catch((error) => {
            if (
              !isThroughlineError(error, 'nothing-to-compact') &&
              !isThroughlineError(error, 'summary-rejected')
            )
              throw error;
          });
        }
        if (next.do === 'expand' || next.do === 'collapse') {
          const all = await listCompactions(store, session.info);
          const chosen = all[next.which % Math.max(1, all.length)];
          if (chosen)
            await (next.do === 'expand' ? expandCompactions : collapseCompactions)(session, {
              entry: chosen.id,
            });
        }
        if (next.do === 'fork') {
          const fork = await forkSession(store, session.info, {
            at: next.at % (session.info.head + 1),
            id: `fork-${n}`,
          });
          session = await openSession(store, fork.id);
          continue;
        }
        expect((await session.read()).slice(0, before.length)).toEqual(before);
        await expectInOrder(session);
      }
      await expectAllBack(session);
    }),
    { numRuns: 60 },
  );
}, 120_000);

/** Every message is on the frontier itself or under exactly one summary, in the order it was said. */
async function expectInOrder(session: Session): Promise<void> {
  const frontier = (await frontierOf(session)).map(placeOf);
  for (const [index, { from }] of frontier.entries())
    if (index > 0) expect(from).toBeGreaterThan(frontier[index - 1]!.to);
  const messages = await session.read({ only: 'messages' });
  const missing = messages.filter(({ seq }) => !frontier.some(({ from, to }) => from <= seq && seq <= to));
  expect(missing).toEqual([]);
}

async function expectAllBack(session: Session): Promise<void> {
  for (const { id } of await listCompactions(session.store, session.info))
    await expandCompactions(session, { entry: id });
  const expanded = await frontierOf(session);
  const plain = await Promise.all(
    (await session.read({ only: 'messages' })).map((entry) => session.whole(entry)),
  );
  expect(JSON.stringify(expanded)).toBe(JSON.stringify(plain));
}
