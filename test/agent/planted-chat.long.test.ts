import { expect, it } from 'vitest';
import { openAgent, type TurnEvent } from '../../src/agent/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { EVERY_TELLING, missingIn, TALKS, turnOf } from '../compaction/planted-talk.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer, type WireRequest } from '../support/wire-server.ts';

const cells = [4_096, 8_192, 16_384, 32_768].flatMap((window) =>
  EVERY_TELLING.flatMap((told) =>
    (['the digest', 'a model that forgets'] as const).map((by) => ({ window, ...told, by })),
  ),
);
const COMPACTIONS = 20;

it.each(cells)(
  'ten facts are in every request of a chat in $window tokens, through twenty compactions: $language, $telling, $talk small talk, by $by',
  { timeout: 600_000 },
  async ({ window, by, ...told }) => {
    const padded = Math.round(window / 4_096);
    const summary = `# Summary\n\n## Overview\n${TALKS[told.language].forgetful}\n`;
    let turn = 0;
    let asked = '';
    await using server = await startWireServer('openai-chat', ({ body }: WireRequest) => {
      const sent = JSON.stringify(body.messages);
      const isSummary = sent.includes('<transcript');
      if (!isSummary) asked = sent;
      const usage = { input: Math.ceil(sent.length / 4), output: 60 };
      return reply(isSummary ? summary : turnOf(told, turn, padded)[1], { usage });
    });
    await using store = createMemoryStore();
    await using session = await createSession(store);
    await using agent = await openAgent(session, {
      openModel: { env: server.env },
      window,
      recall: false,
      ...(by === 'the digest' && { compaction: { summariser: 'digest' } }),
    });
    const lost = new Set<string>();
    let compactions = 0;
    const onEvent = (event: TurnEvent) => {
      if (event.type === 'compaction-end' && event.outcome.did === 'compact') compactions++;
    };
    for (; compactions < COMPACTIONS && turn < 1_200; turn++) {
      await agent.send(turnOf(told, turn, padded)[0], { onEvent });
      if (turn > 10) for (const mark of missingIn(asked, told)) lost.add(mark);
    }
    expect(compactions).toBeGreaterThanOrEqual(COMPACTIONS);
    expect([...lost]).toEqual([]);
  },
);
