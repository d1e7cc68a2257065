import { expect, it } from 'vitest';
import { runTurn, type TurnEvent } from '../../src/agent/index.ts';
import { CompactionReason } from '../../src/record/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { countText } from '../../src/tokens/index.ts';
import { scriptedModel } from './scripted-model.ts';

const price = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };
const filler = 'Nothing in this remark matters to the readers of it. '.repeat(700);

/** Talks in a window of a million tokens, and gives what was told of compactions. */
async function talk({ priced, compaction }: { priced: boolean; compaction?: 'everything' | 'frugal' }) {
  const scripted = scriptedModel(
    ({ prompt }, n) => ({
      text: `Answer ${n}.`,
      usage: { input: countText(JSON.stringify(prompt)), output: 300 },
    }),
    { window: 1_000_000 },
  );
  const model = { ...scripted, ...(priced && { price }) };
  const session = await createSession(createMemoryStore(), {
    ...(compaction && { settings: { compaction } }),
  });
  const events: TurnEvent[] = [];
  for (let n = 0; n < 22; n++)
    await runTurn(session, `Question ${n}? ${filler}`, {
      model,
      compaction: { summariser: 'digest' },
      onEvent: (event) => events.push(event),
    });
  return {
    session,
    events: events.filter(({ type }) => type === 'compaction-end' || type === 'compaction-start'),
  };
}

it('a session in a large window is compacted where waiting would be dearer, and says why', async () => {
  const { session, events } = await talk({ priced: true });
  const end = events.find((event) => event.type === 'compaction-end' && event.outcome.did === 'compact');
  expect(end).toMatchObject({ outcome: { why: { because: 'cost' } } });
  const notes = await session.read({ only: 'notes' });
  const made = notes.flatMap(({ body }) => (body.kind === 'compaction' ? [body] : []))[0]!;
  const why = CompactionReason.parse(made.meta?.why);
  expect(why.context).toBeGreaterThan(why.trigger);
  expect(why.context).toBeLessThan(200_000);
  expect(why.turn!.after).toBeLessThan(why.turn!.before);
});

it('is not where a person wants everything in sight, or the price is unknown', async () => {
  expect((await talk({ priced: true, compaction: 'everything' })).events).toEqual([]);
  expect((await talk({ priced: false, compaction: 'frugal' })).events).toEqual([]);
});
