import { expect, it } from 'vitest';
import { createAutoCompaction, type Load, PRESETS } from '../../src/compaction/index.ts';
import { buildContext } from '../../src/context/index.ts';
import { createSession, readConversation } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, toolCall, toolResult, user } from '../../src/testing/index.ts';

// Decisions in the same words about one thing after the other, in an agent's work that is compacted again and again.

const WORDS =
  'the store keeps every entry in order and a reader finds it again by number while each writer waits for its lease'.split(
    ' ',
  );

function prose(seed: number, words: number): string {
  const said = Array.from({ length: words }, (_, at) => WORDS[(seed * 31 + at * at * 7 + at) % WORDS.length]);
  return `Part ${seed}: ${said.join(' ')}.`;
}

it.each([
  { trigger: 15_000, turns: 240, every: 12 },
  { trigger: 25_000, turns: 400, every: 20 },
  { trigger: 40_000, turns: 400, every: 20 },
])(
  'every decision is in the context at the end of many compactions at $trigger tokens',
  async ({ trigger, turns, every }) => {
    const session = await createSession(createMemoryStore());
    const build = async () => {
      const conversation = await readConversation(session.store, session.info);
      return buildContext({ head: [], ...conversation }, { window: 100_000, outputLimit: 4_000 });
    };
    const measure = async (): Promise<Load> => {
      const { tokens, window, reserve } = await build();
      const { totals, head } = session.info;
      return { tokens, room: window - reserve, messages: totals.messages, lines: head };
    };
    const settings = { ...PRESETS.balanced, trigger: { tokens: trigger }, keep: { tokens: trigger / 4 } };
    const auto = createAutoCompaction(session, { settings, measure });
    const ports: string[] = [];
    let compactions = 0;
    for (let turn = 0; turn < turns; turn++) {
      if ((await auto.consider()).did === 'compact') compactions++;
      const port = `${8_000 + turn * 3}`;
      const decides = turn % every === 7;
      if (decides) ports.push(port);
      const decision = decides ? ` Decision: the billing worker ${turn} listens on port ${port}.` : '';
      await session.append([
        user(`Go on with part ${turn} of the work.${decision}`),
        toolCall('read', { path: `src/part-${turn}.ts` }),
        toolResult('read', prose(turn * 11, 600)),
        assistant(prose(turn * 13, 80)),
      ]);
    }
    const sent = JSON.stringify((await build()).messages);
    expect(compactions).toBeGreaterThan(8);
    expect(ports.filter((port) => !sent.includes(port))).toEqual([]);
  },
);
