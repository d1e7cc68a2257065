import { expect, it } from 'vitest';
import { runTurn, type TurnEvent, type TurnOptions } from '../../src/agent/index.ts';
import { createSession, openSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { scriptedModel } from './scripted-model.ts';

const words = 'a good many words about the state of things and what to do next with them. '.repeat(30);

/** Counts by one and a half of the estimate and refuses more than 8,000 tokens, with or without numbers. */
function narrow({ tells }: { tells: boolean }) {
  let refused = 0;
  const model = scriptedModel(
    ({ prompt }) => {
      const counted = Math.round((JSON.stringify(prompt).length / 4.6) * 1.5);
      if (counted <= 8_000) return { text: `a ${words}`, usage: { input: counted, output: 100 } };
      refused++;
      const numbers = tells ? `: ${counted} tokens > 8000 maximum` : '';
      return { error: Object.assign(new Error(`prompt is too long${numbers}`), { statusCode: 400 }) };
    },
    { window: 200_000 },
  );
  return { model, refused: () => refused };
}

it.each([{ tells: true }, { tells: false }])(
  'the window that a refusal shows is kept with the session: the next process is not refused ($tells)',
  async ({ tells }) => {
    const store = createMemoryStore();
    const { model, refused } = narrow({ tells });
    const say = async (turns: number) => {
      const windows: number[] = [];
      const options: TurnOptions = {
        model,
        compaction: { summariser: 'digest' },
        onEvent: (event: TurnEvent) => event.type === 'request-start' && windows.push(event.window),
      };
      await using session = await openSession(store, 's');
      for (let n = 0; n < turns; n++) await runTurn(session, `q ${words}`, options);
      return windows;
    };
    await (await createSession(store, { id: 's' })).close();
    await say(9);
    expect(refused()).toBe(1);
    const [first] = await say(9);
    expect(refused()).toBe(1);
    expect(first!).toBeLessThanOrEqual(8_000 * 1.1);
    expect((await store.session('s'))!.state.settings.windows).toMatchObject([
      { model: model.id, declared: 200_000 },
    ]);
  },
);

it('a window that is declared anew is believed again', async () => {
  const { model } = narrow({ tells: true });
  const session = await createSession(createMemoryStore(), { id: 's' });
  const seen: number[] = [];
  const onEvent = (event: TurnEvent) => event.type === 'request-start' && seen.push(event.window);
  for (let n = 0; n < 9; n++) await runTurn(session, `q ${words}`, { model, onEvent });
  expect(seen.at(-1)).toBe(8_000);
  await runTurn(session, 'q', { model, onEvent, budget: { window: 7_000 } });
  expect(seen.at(-1)).toBe(7_000);
});
