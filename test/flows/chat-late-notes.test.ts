import { describe, expect, it } from 'vitest';
import { reply, replyObject } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { obligingModel, SUMMARY } from './chat-model.ts';
import { createChatPlace } from './chat-place.ts';
import { ENTER, HAS_TERMINAL, openTerminal } from './chat-terminal.ts';

const LONG = 'The limiter counts requests for each user and for each minute. '.repeat(20);

describe.skipIf(!HAS_TERMINAL)('a summary that is ready while a line is being typed', () => {
  it('is printed above the prompt, and the line stays', async () => {
    using place = createChatPlace();
    const typed = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const script = obligingModel({
      answer: ({ body }) => reply(LONG, { usage: { input: JSON.stringify(body).length / 4, output: 320 } }),
      summary: () => {
        asked.resolve();
        return { kind: 'held', until: typed.promise, step: replyObject(SUMMARY) };
      },
    });
    await using server = await startWireServer('anthropic', script);
    await using terminal = openTerminal(place, ['chat', '--window', '4096'], server.env);
    for (const turn of [1, 2, 3, 4, 5, 6, 7]) {
      await terminal.see('You: ');
      terminal.type(`Tell me more about part ${turn}.${ENTER}`);
      await terminal.see('% of 4.1K');
    }
    await asked.promise;
    await terminal.see('You: ');
    terminal.type('and what');
    await terminal.see('and what');
    typed.resolve();
    await terminal.see('Context compacted: ');
    await terminal.see('You: and what');
    terminal.type(` about it?${ENTER}`);
    await terminal.see('% of 4.1K');
    const at = terminal.raw.indexOf('Context compacted: ');
    expect(terminal.raw.slice(0, at).endsWith('\r\x1b[J\x1b[2m')).toBe(true);
    await terminal.see('You: ');
    terminal.type(`exit${ENTER}`);
    expect(await terminal.ended).toBe(0);
    expect(server.requests.some(({ body }) => JSON.stringify(body).includes('and what about it?'))).toBe(
      true,
    );
  });
});
