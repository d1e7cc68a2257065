import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/faces/rpc/index.ts';
import { createSession } from '../../src/session/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { startServe } from '../faces/rpc/served.ts';
import { reply, replyObject } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { type ChatPlace, createChatPlace } from './chat-place.ts';

const LISTS = { topics: [], decisions: [], completed: [], pending: [], blockers: [], facts: [] };
const RECORD = { background: 'Initial session.', overview: 'Several things were talked about.', ...LISTS };
const QUESTION = 'What does the printer in Leeds charge?';
/** Each store writes a compaction of its own. */
const RECORD_ID = /(?<=[Rr]ecord )[\da-f-]{36}/g;

/** A session without a policy of its own that is too long for a small window. */
async function fill(place: ChatPlace): Promise<void> {
  await using store = await place.open();
  await using session = await createSession(store, { id: 'long', project: place.folder });
  for (let round = 0; round < 20; round++)
    await session.append([
      user(`Order ${round}: the printer in Leeds charges ${4000 + round} pounds.`),
      assistant(`Noted, order ${round}. ${`The proofs of part ${round} are due then. `.repeat(60)}`),
    ]);
}

interface Meter {
  readonly tokens: number;
  readonly parts: unknown;
  readonly compacts: boolean;
}

describe('a server and a chat with one configuration', () => {
  it.each([
    { settings: [], summaries: true },
    { settings: [['summary-model', 'digest']], summaries: false },
    { settings: [['preset', 'off']], summaries: false },
  ])('send the same requests, and announce them: $settings', async ({ settings, summaries }) => {
    using place = createChatPlace();
    await using model = await startWireServer('openai-chat', ({ streaming }) =>
      streaming ? reply('Noted.', { usage: { input: 900, output: 5 } }) : replyObject(RECORD),
    );
    await fill(place);
    for (const [name, value] of settings) await place.run(['config', 'set', name!, value!]);
    const file = path.join(place.home, '.throughline', 'throughline.db');
    const copy = path.join(place.home, 'copy.db');
    copyFileSync(file, copy);
    const env = { ...model.env, THROUGHLINE_WINDOW: '12000' };
    // Calls up to the answer: a summary that is prepared behind it is in no hurry.
    const upToAnswer = (from = 0) => {
      const calls = model.requests.slice(from);
      return calls
        .slice(0, calls.findIndex(({ streaming }) => streaming) + 1)
        .map(({ body }) => JSON.stringify(body).replaceAll(RECORD_ID, '[id]'));
    };

    const printed = await place.run(['context', 'long', '--question', QUESTION, '--json'], { env });
    const { tokens, parts, compacts } = JSON.parse(printed.stdout) as Meter;
    await using served = await startServe(copy, [], { ...env, HOME: place.home });
    const client = createHttpClient({ url: served.url, token: served.token! });
    const meter = await client.call('chat/context/meter', { sessionId: 'long', question: QUESTION });
    expect(meter).toMatchObject({ tokens, parts, compacts });

    const { aiSessionId } = await client.call('ai/session/create', { chatSessionId: 'long' });
    await client.call('ai/session/send', { sessionId: aiSessionId, content: QUESTION, wait: true });
    await served.end('SIGTERM');
    const overRpc = upToAnswer();
    expect(overRpc.length > 1).toBe(summaries);

    const { length } = model.requests;
    await place.talk([QUESTION], { env, args: ['--continue', 'long'] });
    expect(upToAnswer(length)).toEqual(overRpc);
  });

  it.each([
    { settings: {}, again: true },
    { settings: { THROUGHLINE_SUMMARY_SPEND: '1' }, again: false },
  ])('have the same limit for the summaries of an hour: $settings', async ({ settings, again }) => {
    using place = createChatPlace();
    await using model = await startWireServer('openai-chat', ({ streaming }) =>
      streaming ? reply('Noted.', { usage: { input: 900, output: 5 } }) : replyObject(RECORD),
    );
    await fill(place);
    const file = path.join(place.home, '.throughline', 'throughline.db');
    const env = { ...model.env, ...settings, THROUGHLINE_WINDOW: '12000', HOME: place.home };
    await using served = await startServe(file, [], env);
    const client = createHttpClient({ url: served.url, token: served.token! });
    const summaries = () => model.requests.filter(({ streaming }) => !streaming).length;
    const ask = () =>
      client.call('ai/session/send', { storageSessionId: 'long', content: QUESTION, wait: true });
    await ask();
    const first = summaries();
    expect(first).toBeGreaterThan(0);
    for (let round = 0; round < 20; round++)
      await client.call('chat/message/add', {
        sessionId: 'long',
        role: 'assistant',
        content: `The proofs of part ${round} are due then. `.repeat(60),
      });
    await ask();
    expect(summaries() > first).toBe(again);
  });
});
