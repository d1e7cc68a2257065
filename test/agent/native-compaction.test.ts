import { describe, expect, it } from 'vitest';
import { readCalls, runTurn, type TurnEvent, type TurnOptions } from '../../src/agent/index.ts';
import { compactSession, listCompactions, PRESETS } from '../../src/compaction/index.ts';
import { openRecall } from '../../src/search/index.ts';
import { createSession, expandCompactions, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { callTool, cut, reply, type Turn } from '../support/wire-script.ts';
import { type Protocol, startWireServer, type WireServer } from '../support/wire-server.ts';

const SUMMARY = 'NATIVE SUMMARY: the printer in Leeds charges 4711 pounds.';
const EDITS = { anthropic: { contextManagement: { edits: [{ type: 'compact_20260112' }] } } };

const open = (): Promise<Session> =>
  createSession(createMemoryStore(), { id: 's', settings: { compaction: 'off' } });

function asker(session: Session, server: WireServer, options: TurnOptions = {}) {
  const { reference: model, env } = server;
  return (text: string, more: TurnOptions = {}) =>
    runTurn(session, text, { model, openModel: { env }, compaction: false, ...options, ...more });
}

const sent = (server: WireServer, nth = -1): string => JSON.stringify(server.requests.at(nth)!.body);

async function callsOf(session: Session): Promise<unknown[][]> {
  const calls: unknown[][] = [];
  for await (const call of readCalls(session.store, await session.refresh()))
    calls.push([call.for, call.usage?.inputTokens, call.usage?.outputTokens]);
  return calls;
}

interface Form {
  readonly protocol: Protocol;
  readonly native: NonNullable<Turn['native']>;
  /** In a request, once it is given back. */
  readonly back: string;
  /** Whether people and other models can read it. */
  readonly readable: boolean;
}
const FORMS: readonly Form[] = [
  {
    protocol: 'anthropic',
    native: { text: SUMMARY },
    back: `{"type":"compaction","content":"${SUMMARY}"`,
    readable: true,
  },
  {
    protocol: 'anthropic',
    native: { text: SUMMARY, signature: 'sig-1' },
    back: `{"type":"compaction","content":"${SUMMARY}","signature":"sig-1"`,
    readable: true,
  },
  {
    protocol: 'openai-responses',
    native: { text: 'c2VhbGVkIGJ5IHRoZSBwcm92aWRlcg' },
    back: '"encrypted_content":"c2VhbGVkIGJ5IHRoZSBwcm92aWRlcg"',
    readable: false,
  },
];

describe.each(FORMS)(
  'a summary by the provider, $protocol $native',
  ({ protocol, native, back, readable }) => {
    const script = (from = 3) => [
      reply('Answer one: 4711 is in the budget.'),
      reply('Answer two.'),
      reply('Answer three.', { native }),
      ...Array.from({ length: 9 }, (_, n) => reply(`Answer ${n + from + 1}.`)),
    ];

    async function talk(server: WireServer) {
      const session = await open();
      const ask = asker(session, server);
      await ask('The printer in Leeds charges 4711 pounds. Note it.');
      await ask('Question two about the bindery?');
      const third = await ask('Question three about the weather?');
      return { session, ask, third };
    }

    it('is no part of the answer, of its events, of its entry or of the search', async () => {
      await using server = await startWireServer(protocol, script());
      const session = await open();
      const events: TurnEvent[] = [];
      const ask = asker(session, server, { onEvent: (event) => events.push(event) });
      await ask('The printer in Leeds charges 4711 pounds. Note it.');
      await ask('Question two about the bindery?');
      const { text } = await ask('Question three about the weather?');
      expect(text).toBe('Answer three.');
      const told = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');
      expect(told).not.toContain('NATIVE');
      const messages = await session.read({ only: 'messages' });
      expect(JSON.stringify(messages)).not.toContain(native.text);
      await using index = await openRecall(session.store);
      await index.catchUp();
      const hits = await index.search('NATIVE SUMMARY');
      expect(hits.map(({ role }) => role)).not.toContain('assistant');
    });

    it('is one compaction among the others, by the provider, and can be undone', async () => {
      await using server = await startWireServer(protocol, script());
      const { session, ask } = await talk(server);
      const [made, ...others] = await listCompactions(session.store, await session.refresh());
      expect(others).toEqual([]);
      expect(made).toMatchObject({
        by: { kind: 'provider', model: server.reference },
        covers: { from: 2, to: 5 },
        status: 'collapsed',
      });
      const entry = await session.store.entry('s', made!.id);
      const { overview } = (entry!.body as { summary: { overview: string } }).summary;
      if (readable) expect(overview).toBe(SUMMARY);
      else expect(JSON.stringify(entry!.body)).toContain('4711');

      await ask('Question four?');
      expect(sent(server)).toContain(back);
      await expandCompactions(session, { entry: made!.id });
      await ask('Question five?');
      expect(sent(server)).not.toContain(back);
      expect(sent(server)).toContain('Question two about the bindery?');
    });

    it('is given back to its own model in the place of what stood before it', async () => {
      await using server = await startWireServer(protocol, script());
      const { ask } = await talk(server);
      await ask('Question four?');
      expect(sent(server)).toContain(back);
      for (const gone of ['Answer one', 'Question two', 'Answer two', 'Question three'])
        expect(sent(server)).not.toContain(gone);
      for (const there of ['Answer three.', 'Question four?']) expect(sent(server)).toContain(there);
      if (protocol !== 'anthropic') return;
      const beta = String(server.requests.at(-1)!.headers['anthropic-beta']);
      expect(beta).toContain(native.signature ? 'compact-2026-09-04' : 'compact-2026-01-12');
    });

    it('goes to any other model as a readable record', async () => {
      await using server = await startWireServer(protocol, script());
      await using other = await startWireServer('openai-chat', [reply('Yes.')]);
      const { session } = await talk(server);
      await asker(session, other)('Question four?');
      expect(sent(other)).not.toContain(back);
      expect(sent(other)).toContain('4711');
      expect(sent(other)).toContain('[Record ');
      expect(sent(other)).toContain('Question three');
      if (readable) expect(sent(other)).not.toContain('Answer two.');
    });

    it('takes older summaries in, and is covered by later ones like any other', async () => {
      await using server = await startWireServer(protocol, script());
      const session = await open();
      const ask = asker(session, server);
      await ask('The printer in Leeds charges 4711 pounds. Note it.');
      await ask('Question two about the bindery?');
      const settings = { ...PRESETS.window, keep: { messages: 2 }, least: { messages: 1, turns: 1 } };
      await compactSession(session, { settings });
      await ask('Question three about the weather?');
      const [ours, theirs] = await listCompactions(session.store, await session.refresh());
      expect(theirs).toMatchObject({ level: 2, children: [ours!.id], status: 'collapsed' });
      expect(ours).toMatchObject({ status: 'covered' });
      for (const question of ['Four?', 'Five?', 'Six?']) await ask(question);
      expect(sent(server)).toContain(back);
    });

    it('of a call that breaks off behind it is kept, and of one that breaks off inside it is not', async () => {
      await using server = await startWireServer(protocol, [
        ...script().slice(0, 2),
        cut(
          reply('Answer three with a good many words behind the summary, so that half of it comes.', {
            native,
          }),
        ),
        reply('Answer three again.'),
      ]);
      const session = await open();
      const ask = asker(session, server, { retry: { times: 0 } });
      await ask('The printer in Leeds charges 4711 pounds. Note it.');
      await ask('Question two?');
      await expect(ask('Question three?')).rejects.toMatchObject({ code: 'model-failed' });
      expect(await listCompactions(session.store, await session.refresh())).toHaveLength(1);
      const messages = await session.read({ only: 'messages' });
      expect(JSON.stringify(messages)).not.toContain(native.text);
    });
  },
);

describe('a provider that pauses after its summary', () => {
  it.each([
    { protocol: 'anthropic', providerOptions: EDITS },
    { protocol: 'anthropic', providerOptions: { anthropic: { compaction: { type: 'summarize' } } } },
    { protocol: 'openai-responses', providerOptions: { openai: { compactionTrigger: true } } },
  ] as const)('is asked again automatically, %s', async ({ protocol, providerOptions }) => {
    await using server = await startWireServer(protocol, [
      reply('Answer one.'),
      reply('', {
        native: { text: SUMMARY, signature: 'sig' },
        finish: 'compaction',
        usage: { input: 50_000, output: 900 },
      }),
      reply('The port is 8431.'),
    ]);
    const session = await open();
    const ask = asker(session, server);
    await ask('The port is 8431.');
    const { status, text } = await ask('Which port?', { providerOptions });
    expect({ status, text }).toEqual({ status: 'complete', text: 'The port is 8431.' });
    expect(sent(server)).toContain('Which port?');
    expect(sent(server)).not.toContain('Answer one.');
    expect(sent(server)).not.toMatch(/compaction_trigger|"type":"summarize"/);
    expect(await listCompactions(session.store, await session.refresh())).toHaveLength(1);
    expect(await callsOf(session)).toEqual([
      ['answer', 12, 5],
      ['compaction', 50_000, 900],
      ['answer', 12, 5],
    ]);
  });

  it('before anything else was said is asked again too', async () => {
    await using server = await startWireServer('anthropic', [
      reply('', { native: { text: SUMMARY, signature: 'sig' }, finish: 'compaction' }),
      reply('The port is 8431.'),
    ]);
    const session = await open();
    const providerOptions = { anthropic: { compaction: { type: 'summarize' } } };
    const { status, text } = await asker(session, server)('Which port?', { providerOptions });
    expect({ status, text }).toEqual({ status: 'complete', text: 'The port is 8431.' });
  });

  it('for ever does not hold the turn for ever', async () => {
    await using server = await startWireServer('anthropic', () =>
      reply('', { native: { text: SUMMARY }, finish: 'compaction' }),
    );
    const session = await open();
    await session.append([{ kind: 'message', role: 'user', parts: [{ type: 'text', text: 'Before.' }] }]);
    const { status } = await asker(session, server)('Which port?');
    expect(status).toBe('interrupted');
    expect(server.requests.length).toBeLessThan(6);
    const calls = await callsOf(session);
    expect(calls.filter(([kind]) => kind === 'compaction')).toHaveLength(server.requests.length);
  });
});

describe('a summary by the provider in the middle of a turn', () => {
  it('leaves the question and drops the steps that it holds', async () => {
    await using server = await startWireServer('anthropic', [
      reply('Answer one.'),
      callTool('look', { at: 1 }, { id: 'c1' }),
      callTool('look', { at: 2 }, { id: 'c2', native: { text: SUMMARY, signature: 'sig' } }),
      reply('Done.'),
    ]);
    const session = await open();
    const look = { inputSchema: { type: 'object' }, execute: ({ at }: { at?: number }) => `PAGE ${at}` };
    const ask = asker(session, server, { tools: { look } });
    await ask('Begin.');
    const { text } = await ask('Look at both pages.');
    expect(text).toBe('Done.');
    expect(sent(server)).toContain('Look at both pages.');
    expect(sent(server)).toContain('PAGE 2');
    expect(sent(server)).not.toContain('PAGE 1');
    expect(sent(server)).not.toContain('Answer one.');
  });
});
