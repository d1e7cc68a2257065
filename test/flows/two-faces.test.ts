import { describe, expect, it } from 'vitest';
import { openSession } from '../../src/session/index.ts';
import { TRANSPORTS } from '../faces/rpc/transports.ts';
import { reply, replyObject } from '../support/wire-script.ts';
import { startWireServer, type WireRequest } from '../support/wire-server.ts';
import { askedFor, SUMMARY } from './chat-model.ts';
import { createChatPlace, idIn } from './chat-place.ts';
import { ENTER, HAS_TERMINAL, openTerminal } from './chat-terminal.ts';

interface Said {
  readonly role: string;
  readonly content: string;
}

const saidIn = ({ body }: WireRequest): Said[] => body.messages;
const questions = (request: WireRequest) =>
  saidIn(request).flatMap(({ role, content }) => (role === 'user' ? [content] : []));
const answersAsked = (requests: readonly WireRequest[]) =>
  requests.filter((request) => askedFor(request) === 'answer');

/** A session of a chat in a pipe, and a server on the same store: two processes, one model. */
async function open(trickleMs = 0) {
  const stack = new AsyncDisposableStack();
  const place = stack.use(createChatPlace());
  const model = stack.use(
    await startWireServer('openai-chat', (request) => {
      if (askedFor(request) !== 'answer') return replyObject(SUMMARY);
      const answer = reply(`You said: ${questions(request).at(-1)}. ${'So it is. '.repeat(20)}`);
      return trickleMs > 0 ? { ...answer, delivery: { trickleMs } } : answer;
    }),
  );
  const { env } = model;
  const id = idIn(await place.talk(['First', 'exit'], { env }));
  const store = stack.use(await place.open());
  const { client } = stack.use(await TRANSPORTS.http({ store, env }));
  return {
    id,
    place,
    client,
    env,
    requests: () => answersAsked(model.requests),
    store,
    send: (content: string) =>
      client.call('ai/session/send', { storageSessionId: id, content, wait: true, waitMs: 60_000 }),
    async questionsOf() {
      const { entries } = await place.show<{ kind: string; role?: string; parts?: { text: string }[] }>(id);
      const asked = entries.filter(({ kind, role }) => kind === 'message' && role === 'user');
      return asked.map(({ parts }) => parts![0]!.text);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

describe.concurrent('a terminal and a server in one session', () => {
  it('take turns without a pause: each finds what the other said, and nothing goes to another session', async () => {
    await using both = await open();
    const { id, place, env, send } = both;
    await send('From the server');
    const ran = await place.talk(['From a pipe', 'exit'], { env });
    expect([ran.code, idIn(ran)]).toEqual([0, id]);
    await send('From the server again');
    const named = await place.talk(['From a pipe again', 'exit'], { env, args: ['--continue', id] });
    expect([named.code, idIn(named)]).toEqual([0, id]);
    const all = ['First', 'From the server', 'From a pipe', 'From the server again', 'From a pipe again'];
    expect(both.requests().map(questions)).toEqual(all.map((_, index) => all.slice(0, index + 1)));
    expect(await both.questionsOf()).toEqual(all);
    expect(await place.sessions()).toHaveLength(1);
  });

  it('take turns also where the terminal compacts', async () => {
    await using both = await open();
    const { id, place, env, send } = both;
    for (const content of ['Second', 'Third', 'Fourth']) await send(content);
    const ran = await place.run(['compact', id, '--keep', '2'], { env });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const foretold = await both.client.call('chat/context/meter', {
      sessionId: id,
      question: 'Fifth',
      messages: true,
    });
    expect(foretold.compactionsApplied).toBe(1);
    await send('Fifth');
    const sent = both.requests().at(-1)!;
    expect(questions(sent).at(-1)).toBe('Fifth');
    const told = foretold.messages!.flatMap(({ content }) => content as { text: string }[]);
    // The provider is sent two messages of one role as one.
    expect(saidIn(sent).map(({ content }) => content)).toEqual([
      `${told[0]!.text}\n\n${told[1]!.text}`,
      ...told.slice(2).map(({ text }) => text),
    ]);
    expect(told[0]!.text).toContain('"Second"');
  });

  it('say at the same time what is answered once, in the order of the log, or is refused and not kept', async () => {
    await using both = await open(5);
    const { id, place, env, send } = both;
    const sends = ['S1', 'S2', 'S3', 'S4'].map(async (content) => ({ content, sent: await send(content) }));
    const pipes = ['P1', 'P2'].map(async (content) => {
      const { code } = await place.talk([content, 'exit'], { env, args: ['--continue', id] });
      expect([0, 31]).toContain(code);
      return code === 0 ? [content] : [];
    });
    for (const { sent } of await Promise.all(sends)) expect(sent.turn).toMatchObject({ status: 'complete' });
    const kept = ['First', 'S1', 'S2', 'S3', 'S4', ...(await Promise.all(pipes)).flat()];
    const asked = await both.questionsOf();
    expect(asked.toSorted()).toEqual(kept.toSorted());
    expect(both.requests().map(questions)).toEqual(asked.map((_, index) => asked.slice(0, index + 1)));
  });
});

describe.skipIf(!HAS_TERMINAL).concurrent('a chat at a terminal and a server in one session', () => {
  it('a chat that is opened behind a turn of a server waits for it to give the session back, and asks nothing', async () => {
    await using both = await open();
    await both.send('From the server');
    const held = await openSession(both.store, both.id, { owner: 'Throughline server', waitMs: 60_000 });
    await using terminal = openTerminal(both.place, [], both.env);
    await terminal.see(/Waiting for Throughline server \(process \d+/);
    await held.close();
    await terminal.see('Continuing "First"');
    await terminal.see('You: ');
    terminal.type(`And now?${ENTER}`);
    await terminal.see('You said: And now?');
    expect(questions(both.requests().at(-1)!)).toEqual(['First', 'From the server', 'And now?']);
  });

  it('what the server changes while the chat is open is in its next request, as foretold', async () => {
    await using both = await open();
    const { id, client, place, env } = both;
    await using terminal = openTerminal(place, ['chat', '--continue', id], env);
    await terminal.see('Continuing "First"');
    await terminal.see(/"help" lists the commands/);
    await client.call('chat/session/update', {
      sessionId: id,
      title: 'Renamed',
      systemPrompt: 'Be a pirate.',
      provider: 'compatible',
      model: 'other-model',
    });
    const foretold = await client.call('chat/context/meter', {
      sessionId: id,
      question: 'And now?',
      messages: true,
    });
    terminal.type(`And now?${ENTER}`);
    await terminal.see('You said: And now?');
    const sent = both.requests().at(-1)!;
    expect(sent.body.model).toBe('other-model');
    const told = foretold.messages!.map(({ role, content }) => ({
      role,
      content: (content as { text: string }[]).map(({ text }) => text).join(''),
    }));
    expect(saidIn(sent)).toEqual([{ role: 'system', content: 'Be a pirate.' }, ...told]);
    expect(foretold).toMatchObject({ model: 'compatible:other-model', instructions: 'Be a pirate.' });
    terminal.type(`/title${ENTER}`);
    await terminal.see('Renamed');
    // The chat holds the session until it is left.
    const refused = client.call('ai/session/send', { storageSessionId: id, content: 'Let me', waitMs: 0 });
    await expect(refused).rejects.toMatchObject({ code: 'lease-held' });
    expect(await both.questionsOf()).toEqual(['First', 'And now?']);
  });
});
