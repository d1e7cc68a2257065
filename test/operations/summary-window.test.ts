import { expect, it } from 'vitest';
import { openAgent } from '../../src/agent/index.ts';
import { compactContext, summariseSession } from '../../src/operations/compaction/index.ts';
import { createAppOperation, perform } from '../../src/operations/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { overflow, reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';

const WINDOW = 8_192;
const RATIO = 1.4;
const QUESTION =
  'the queue of the worker takes a lease and writes to the log what it did with each row '.repeat(80);
const SUMMARY = '# Summary\n\n## Overview\nSome talk.\n\n## Facts\n- The talk was pleasant.';

it.each(['closing', 'asked for', 'asked for with a turn to keep'] as const)(
  'a summary that is %s is read in pieces that fit the window which was declared for the chat alone',
  async (kind) => {
    const summaries: number[] = [];
    await using server = await startWireServer('openai-chat', ({ body }) => {
      const sent = JSON.stringify(body.messages);
      const tokens = Math.ceil((sent.length / 4) * RATIO);
      const isSummary = sent.includes('<transcript');
      if (isSummary) summaries.push(tokens);
      if (tokens > WINDOW) return overflow({ tokens, limit: WINDOW });
      return reply(isSummary ? SUMMARY : 'Noted.', { usage: { input: tokens, output: 60 } });
    });
    const model = `compatible:wire-model@${server.url}`;
    await using store = createMemoryStore();
    const session = await createSession(store, { settings: { model } });
    const agent = await openAgent(session, { model, window: WINDOW, compaction: false });
    for (let turn = 0; turn < 8; turn++) await agent.send(`${turn}: ${QUESTION}`);
    await agent[Symbol.asyncDispose]();
    await session.close();
    await using app = createAppOperation(store);
    if (kind === 'closing')
      await perform(summariseSession, { sessionId: session.id, model, keep: 'may' }, app);
    else {
      const keep = kind === 'asked for' ? {} : { keepTurns: 1 };
      await perform(compactContext, { chatSessionId: session.id, model, ...keep }, app);
    }
    expect(summaries.length).toBeGreaterThan(1);
    expect(Math.max(...summaries)).toBeLessThanOrEqual(WINDOW);
  },
);
