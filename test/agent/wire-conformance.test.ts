import { describe, expect, it } from 'vitest';
import { openAgent } from '../../src/agent/index.ts';
import { compactSession, createModelSummariser, PRESETS } from '../../src/compaction/index.ts';
import { renderEntry } from '../../src/faces/cli/render/render-entry.ts';
import { openModel } from '../../src/models/index.ts';
import { openRecall, recollect } from '../../src/search/index.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { exportSession } from '../../src/transcripts/index.ts';
import {
  badRequest,
  callTool,
  endEarly,
  reply,
  type Step,
  serverError,
  stall,
} from '../support/wire-script.ts';
import { PROTOCOLS, startWireServer, type WireRequest } from '../support/wire-server.ts';

const filler = 'Nothing in this sentence matters to the readers of it. '.repeat(12);
const settings = { ...PRESETS.window, keep: { messages: 2 }, least: { messages: 1, turns: 1 } };
const look = { inputSchema: { type: 'object' }, execute: ({ at }: { at?: number }) => `PAGE ${at}` };
const reasoning = { text: 'I think of the printer.', signature: 'c2lnbmVk' };

/** Words that only providers and the SDK use. */
const MACHINERY =
  /message_start|msg_wire|providerOptions|providerMetadata|\(custom\)|\[custom\]|c2lnbmVk|rs_wire/;

async function everywhere(session: Session): Promise<Record<string, string>> {
  const { store, info } = session;
  const entries = await session.read();
  const show = entries.map((entry) => renderEntry(entry, { width: 200, full: false }).text).join('\n');
  await using recall = await openRecall(store);
  await recall.catchUp();
  const found = await recollect(store, recall, info, { question: 'What does the printer in Leeds charge?' });
  const exported = async (format: 'markdown' | 'html') => {
    let text = '';
    for await (const { text: part } of exportSession(store, info, { format })) text += part;
    return text;
  };
  return {
    show,
    recall: found.map(({ text }) => text).join('\n'),
    markdown: await exported('markdown'),
    html: await exported('html'),
  };
}

describe.each(PROTOCOLS)('over the wire of %s', (protocol) => {
  it('a session of thoughts, calls and summaries has no machinery in what people and models read', async () => {
    const steps: Step[] = [
      reply('The printer in Leeds charges 4711 pounds.', { reasoning }),
      {
        ...callTool('look', { at: 1 }, { id: 'c1', text: 'Looking.', reasoning }),
      },
      reply('Both pages agree.', { reasoning }),
    ];
    await using server = await startWireServer(
      protocol,
      (_, n) => steps[n] ?? reply(`Answer ${n}. ${filler}`),
    );
    await using store = createMemoryStore();
    await using session = await createSession(store, { settings: { compaction: 'off' } });
    await using agent = await openAgent(session, { openModel: { env: server.env }, tools: { look } });
    await agent.send(`Note what the printer in Leeds charges. ${filler}`);
    await agent.send('Look at page 1 and page 2.');
    await agent.send('And the weather?');
    await compactSession(session, { settings });
    await agent.send('What does the printer in Leeds charge?');
    for (const [where, text] of Object.entries(await everywhere(session)))
      expect({ where, found: MACHINERY.exec(text)?.[0] }).toEqual({ where, found: undefined });
    const last = JSON.stringify(server.requests.at(-1)!.body);
    expect(last).not.toMatch(/message_start|\(custom\)/);
  });

  it('a stream that ends early or stalls leaves a session that goes on', async () => {
    await using server = await startWireServer(protocol, [
      endEarly(reply('One two three four five six.')),
      stall(reply('One two three four five six.')),
      reply('Whole.'),
    ]);
    await using store = createMemoryStore();
    await using session = await createSession(store);
    await using agent = await openAgent(session, {
      openModel: { env: server.env },
      retry: { times: 0 },
      timeoutMs: 150,
    });
    await expect(agent.send('First?')).rejects.toMatchObject({ code: expect.stringMatching(/^model-/) });
    await expect(agent.send('Second?')).rejects.toMatchObject({ code: 'model-timeout' });
    expect((await agent.send('Third?')).text).toBe('Whole.');
  });
});

/** A server as strict as chat templates are: roles alternate, contents are texts, nothing is known of `response_format`. */
function strict(answer: (request: WireRequest, n: number) => Step) {
  const refused: string[] = [];
  return {
    refused,
    script(request: WireRequest, n: number): Step {
      const { messages } = request.body as { messages: { role: string; content: unknown }[] };
      const talk = messages.filter(({ role }, index) => role !== 'system' || index > 0);
      const bad = talk.findIndex(
        ({ role, content }, index) =>
          role === 'system' ||
          (index === 0 && role !== 'user') ||
          (role !== 'tool' && role === talk[index - 1]?.role) ||
          (content !== null && typeof content !== 'string'),
      );
      if (bad >= 0) refused.push(talk.map(({ role }) => role).join(' '));
      return answer(request, n);
    },
  };
}

describe('a strict compatible server', () => {
  it('is sent alternating roles and plain texts, through compactions, recall and tools', async () => {
    const server = strict(({ body }, n) =>
      n === 3 && body.tools
        ? callTool('look', { at: 1 }, { id: 'c1' })
        : reply(`Answer ${n}: 4711. ${filler}`, { usage: { input: 0, output: 0 } }),
    );
    await using wire = await startWireServer('openai-chat', server.script);
    await using store = createMemoryStore();
    await using session = await createSession(store, {
      settings: { compaction: 'off', systemPrompt: 'Be exact.' },
    });
    await using agent = await openAgent(session, { openModel: { env: wire.env }, tools: { look } });
    for (let n = 0; n < 4; n++)
      await agent.send(`The printer in Leeds charges 4711 pounds, case ${n}. ${filler}`);
    await session.append([
      { kind: 'message', role: 'system', parts: [{ type: 'text', text: 'The office closes at noon.' }] },
    ]);
    await compactSession(session, { settings });
    await agent.send('What does the printer in Leeds charge?');
    await compactSession(session, { settings });
    await agent.send('What does the printer in Leeds charge in case 2?');
    expect(server.refused).toEqual([]);
    expect(JSON.stringify(wire.requests.at(-1)!.body)).toContain('[Found in earlier entries');
  });

  it.each([
    { name: 'ignores', refusals: [] },
    { name: 'refuses', refusals: [badRequest('response_format is not supported')] },
  ])(
    'that $name response_format still writes a summary after a failure, and its call is counted',
    async ({ refusals }) => {
      const block = `<!-- SESSION_SUMMARY_START -->
**Background Context:** Initial session.

**Current Session Summary:**
**Topics Discussed:**
- The printer in Leeds charges 4711 pounds
<!-- SESSION_SUMMARY_END -->`;
      await using wire = await startWireServer('openai-chat', [
        serverError(),
        ...refusals,
        reply(block, { usage: { input: 500, output: 40 } }),
      ]);
      await using store = createMemoryStore();
      await using session = await createSession(store);
      for (let n = 0; n < 6; n++)
        await session.append([
          {
            kind: 'message',
            role: 'user',
            parts: [{ type: 'text', text: `The printer in Leeds charges 4711 pounds. ${filler}` }],
          },
          { kind: 'message', role: 'assistant', parts: [{ type: 'text', text: `Noted. ${filler}` }] },
        ]);
      const summariser = createModelSummariser(await openModel(wire.reference, { env: wire.env }));
      const { by, failures, compactionId } = await compactSession(session, { settings, summariser });
      expect(by).toMatchObject({ kind: 'model' });
      expect(failures).toMatchObject([{ code: 'model-failed' }]);
      const { body } = (await store.entry(session.id, compactionId))!;
      expect(body).toMatchObject({ usage: { inputTokens: 500, outputTokens: 40 } });
      expect(JSON.stringify(body)).toContain('4711');
    },
  );
});
