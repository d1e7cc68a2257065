import { expect, it } from 'vitest';
import { askModel } from '../../src/agent/answer/ask-model.ts';
import { contextAt, continueTurn, runTurn, type TurnOptions } from '../../src/agent/index.ts';
import { offerTools } from '../../src/agent/tools/offer-tools.ts';
import type { BuiltContext, HeadPiece, Recalled } from '../../src/context/index.ts';
import { openModel } from '../../src/models/index.ts';
import { createSession, excludeEntries, forkSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { badRequest, callTool, cut, overflow, reply, type Step, stall } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';

const read = {
  description: 'Reads a file',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  repeatable: true,
  execute: () => 'export const limit = 100;\n'.repeat(20),
};
const words = 'words that fill the window little by little '.repeat(30);

/** A life with everything in it that changes what a model is sent. Gives the number of requests that were answered. */
async function live(session: Session, options: TurnOptions, add: (...steps: Step[]) => void): Promise<void> {
  const head = (text: string): HeadPiece[] => [{ part: 'memory', text }];
  const found: Recalled[] = [];
  const base: TurnOptions = {
    ...options,
    head: head('The port is 8080.'),
    recall: async () => found,
    compaction: false,
    retry: { firstMs: 1 },
  };
  const tools = { read };

  add(reply('Hello.', { usage: { input: 400, output: 9 } }));
  await runTurn(session, 'Hello', base);
  add(callTool('read', { path: 'a.ts' }), reply('It says 100.'));
  await runTurn(session, 'What does a.ts say?', { ...base, tools });

  // A picture that is refused, and half an answer that is asked for again.
  const picture = { type: 'file', mediaType: 'image/png', data: 'cGljdHVyZQ==' };
  const refusal = badRequest('messages.6.content.1.image.source.base64.data: Could not process image');
  add(refusal, reply('I cannot see it.'));
  await runTurn(session, { parts: [{ type: 'text', text: 'Look' }, picture] }, base);
  add(cut(reply('Once upon a time there was a parser that read every line twice, and nobody knew.')));
  await runTurn(session, 'Tell me a story', base).catch(() => {});
  add(reply('A short one.'));
  await continueTurn(session, base);

  // Somebody stops an answer and says something else; something is taken out while an answer is being written.
  const stop = new AbortController();
  add(stall(reply('A long story that never comes to its end, because nobody tells it to anybody.')));
  const onEvent: TurnOptions['onEvent'] = (event) => {
    if (event.type === 'text-delta') stop.abort();
  };
  await runTurn(session, 'Another', { ...base, signal: stop.signal, onEvent });
  const [first] = await session.read({ only: 'messages', limit: 1 });
  add(reply('Fine.'));
  let taken: Promise<unknown> = Promise.resolve();
  const taking: TurnOptions['onEvent'] = (event) => {
    if (event.type === 'request-start') taken = excludeEntries(session, { entry: first!.id });
  };
  await runTurn(session, 'Never mind', { ...base, onEvent: taking });
  await taken;

  // The project learns something, the conversation is shortened, something is recalled, the window turns out smaller.
  const later = { ...base, head: head('The port is 9090.'), compaction: {} };
  for (let index = 0; index < 6; index++) {
    add(reply(`Noted ${index}. ${words}`));
    await runTurn(session, `Part ${index}: ${words}`, later);
  }
  add(overflow({ tokens: 9_000, limit: 6_000 }), reply('It fits now.'));
  found.push({ entry: first!.id, seq: first!.seq, role: 'user', text: 'Hello' });
  await runTurn(session, 'Do you recall what I said first?', {
    ...later,
    compaction: { summariser: 'digest' },
  });
  add(callTool('read', { path: 'b.ts' }), reply('Done.'));
  await runTurn(session, 'And b.ts?', { ...later, tools });
}

it('what a model was sent can be built again to the byte, for every answer there is', async () => {
  await using server = await startWireServer('anthropic', []);
  await using mirror = await startWireServer('anthropic', () => reply('.'));
  const model = await openModel(server.reference, { env: server.env });
  const again = await openModel(mirror.reference, { env: mirror.env });
  const session = await createSession(createMemoryStore(), { id: 's' });
  const agent = { name: 'Sally', instructions: 'Be brief.' };
  await live(session, { model, agent, budget: { window: 9_000 } }, server.add);

  /** What reaches a server when this is sent as a run sends it. */
  const send = async (context: BuiltContext, tools: Parameters<typeof offerTools>[0]) => {
    const offered = await offerTools(tools);
    await askModel(again, { context } as never, {
      tools: await offered.set(),
      signal: new AbortController().signal,
      timeoutMs: 10_000,
      emit() {},
      onDelta() {},
    });
    return mirror.requests.at(-1)!.body;
  };

  const sent = server.requests.map(({ body }) => JSON.stringify(body));
  const { store } = session;
  const info = await session.refresh();
  const answers = (await session.read({ only: 'messages' })).filter(
    ({ body }) => body.kind === 'message' && body.role === 'assistant' && body.parts.length > 0,
  );
  expect(answers.length).toBeGreaterThan(15);
  const fork = await forkSession(store, info);
  for (const { seq, body } of answers) {
    // Also where a compaction or a mark came between the question and the answer.
    const seen = await contextAt(store, info, seq - 1);
    expect([seq, seen?.exact, seen?.answer.seq]).toEqual([seq, true, seq]);
    const offered =
      JSON.stringify(body).includes('b.ts') || seen!.context.parts.some(isTools) ? { read } : {};
    expect(sent).toContain(JSON.stringify(await send(seen!.context, offered)));
    expect((await contextAt(store, fork, seq - 1))?.exact).toBe(true);
    expect(await contextAt(store, info, seq)).toEqual(seen);
  }
  expect(answers.some(({ body }) => body.kind === 'message' && body.meta?.recalled !== undefined)).toBe(true);
  // What stands around the conversation is written down when it changes, and not with every answer.
  const whole = answers.filter(({ body }) => body.kind === 'message' && body.meta?.request !== undefined);
  expect(whole.length).toBeLessThan(answers.length / 2);
});

const isTools = ({ part, tokens }: { part: string; tokens: number }) => part === 'tools' && tokens > 0;

it('there is no request without a question, and an answer from elsewhere has none', async () => {
  const session = await createSession(createMemoryStore(), { id: 's' });
  const said = { kind: 'message', role: 'assistant', parts: [{ type: 'text', text: 'Hi.' }] } as const;
  await session.append([{ kind: 'message', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }, said]);
  expect(await contextAt(session.store, session.info, 1)).toBeUndefined();
  expect(await contextAt(session.store, session.info, 2)).toBeUndefined();
});
