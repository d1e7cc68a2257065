import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RpcClient } from '../../../src/faces/rpc/index.ts';
import type { SessionInfo } from '../../../src/record/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { setting, user } from '../../../src/testing/index.ts';
import { reply } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { until } from './conversations.ts';
import { createRecordingSdk } from './recording-sdk.ts';
import { answerTo, ask, cliSessionOf, history, SDK } from './sdk-talk.ts';
import { TRANSPORTS } from './transports.ts';

async function begin(client: RpcClient): Promise<string> {
  return (await client.call('chat/session/create', SDK)).session.id;
}

async function fork(client: RpcClient, sessionId: string, at?: string): Promise<string> {
  const { session } = await client.call('chat/session/fork', { sessionId, ...(at !== undefined && { at }) });
  return session.id;
}

describe('a fork of a session that the agent SDK keeps', () => {
  it('at the last answer, continues a copy of the SDK session under another id', async () => {
    const agentSdk = createRecordingSdk();
    await using line = await TRANSPORTS.stdio({ agentSdk });
    const { client } = line;
    const parent = await begin(client);
    const answer = await ask(client, parent, 'One?');
    const child = await fork(client, parent, answer);
    expect(await cliSessionOf(client, child)).toBeNull();
    expect(await client.call('ai/session/resume', { chatSessionId: child })).toMatchObject({
      resumed: true,
      sdkSessionId: 'sdk-1',
      sdkForked: true,
      messagesLoaded: 0,
    });
    await ask(client, child, 'In the fork?');
    expect(agentSdk.requests[1]).toMatchObject({
      prompt: 'In the fork?',
      resume: 'sdk-1',
      forkSession: true,
    });
    expect(await cliSessionOf(client, child)).toBe('sdk-2');
    expect(await cliSessionOf(client, parent)).toBe('sdk-1');
    expect(agentSdk.conversations.get('sdk-1')).toEqual(['One?', 'Answer 1.']);
    await ask(client, child, 'Again?');
    expect(agentSdk.requests[2]).toMatchObject({ prompt: 'Again?', resume: 'sdk-2' });
    expect(agentSdk.requests[2]).not.toHaveProperty('forkSession');
  });

  it('at an earlier answer, begins a new SDK session with the history of the fork alone', async () => {
    const agentSdk = createRecordingSdk();
    await using line = await TRANSPORTS.stdio({ agentSdk });
    const { client } = line;
    const parent = await begin(client);
    const answer = await ask(client, parent, 'One?');
    await ask(client, parent, 'Two?');
    const child = await fork(client, parent, answer);
    const resumed = await client.call('ai/session/resume', { chatSessionId: child });
    expect(resumed).not.toHaveProperty('resumed');
    expect(resumed).not.toHaveProperty('sdkSessionId');
    await ask(client, child, 'In the fork?');
    const { prompt, ...options } = agentSdk.requests[2]!;
    expect(options).not.toHaveProperty('resume');
    expect(prompt).toMatch(
      /^\[Record \S+ of this conversation so far: [^\]]+\]\nuser: One\?\n\nassistant: Answer 1\.\n\[End of record \S+\]\n\nIn the fork\?$/,
    );
  });

  it('gives two forks and their parent three SDK sessions', async () => {
    const agentSdk = createRecordingSdk();
    await using line = await TRANSPORTS.stdio({ agentSdk });
    const { client } = line;
    const parent = await begin(client);
    await ask(client, parent, 'One?');
    const [first, second] = [await fork(client, parent), await fork(client, parent)];
    await ask(client, first, 'First fork?');
    await ask(client, parent, 'Parent?');
    await ask(client, second, 'Second fork?');
    const ids = await Promise.all([parent, first, second].map((id) => cliSessionOf(client, id)));
    expect(new Set(ids).size).toBe(3);
    expect(agentSdk.requests.map(({ resume, forkSession }) => [resume, forkSession])).toEqual([
      [undefined, undefined],
      ['sdk-1', true],
      ['sdk-1', undefined],
      // The parent went on, so a copy of its SDK session would hold too much.
      [undefined, undefined],
    ]);
    expect(agentSdk.conversations.get(ids[2]!)!.join()).not.toMatch(/First fork|Parent/);
  });

  it('begins a new SDK session if the parent is asked while the copy is made', async () => {
    const agentSdk = createRecordingSdk();
    await using line = await TRANSPORTS.stdio({ agentSdk });
    const { client } = line;
    const parent = await begin(client);
    await ask(client, parent, 'One?');
    const child = await fork(client, parent);
    agentSdk.before = ({ forkSession }) => (forkSession ? ask(client, parent, 'Parent?') : undefined);
    await ask(client, child, 'In the fork?');
    const own = agentSdk.conversations.get((await cliSessionOf(client, child))!)!;
    expect(own.join()).not.toContain('Parent?');
    expect(own.join().match(/In the fork\?/g)).toHaveLength(1);
    expect(own.join()).toContain('assistant: Answer 1.');
  });

  it('begins a new SDK session if the SDK gives the fork the id of its parent', async () => {
    const inner = createRecordingSdk();
    const agentSdk = {
      // Does not know `forkSession`.
      query: ({ forkSession: _, ...request }: Parameters<typeof inner.query>[0]) => inner.query(request),
    };
    await using line = await TRANSPORTS.stdio({ agentSdk });
    const { client } = line;
    const parent = await begin(client);
    await ask(client, parent, 'One?');
    const child = await fork(client, parent);
    await ask(client, child, 'In the fork?');
    expect(await cliSessionOf(client, child)).not.toBe(await cliSessionOf(client, parent));
  });

  it('of a store that names no owner begins a new SDK session, and the session itself continues', async () => {
    const agentSdk = createRecordingSdk();
    agentSdk.conversations.set('sdk-old', ['One?', 'Yes.']);
    await using line = await TRANSPORTS.stdio({ agentSdk });
    const { client, store } = line;
    const settings = Object.entries({ ...SDK, cliSessionId: 'sdk-old' });
    await store.create({ id: 'old' }, [
      { body: user('One?') },
      ...settings.map(([name, value]) => ({ body: setting(name, value) })),
    ]);
    await client.call('chat/message/add', { sessionId: 'old', role: 'assistant', content: 'Yes.' });
    const child = await fork(client, 'old');
    expect(await cliSessionOf(client, child)).toBeNull();
    expect(await cliSessionOf(client, 'old')).toBe('sdk-old');
    await ask(client, child, 'In the fork?');
    await ask(client, 'old', 'Two?');
    expect(agentSdk.requests[0]).not.toHaveProperty('resume');
    expect(agentSdk.requests[1]).toMatchObject({ prompt: 'Two?', resume: 'sdk-old' });
  });
});

type Step = { session: number; at: number } & { do: 'sdk' | 'other' | 'add' | 'fork' | 'restart' };

const steps = fc.array(
  fc.record({
    do: fc.constantFrom<Step['do']>('sdk', 'sdk', 'sdk', 'other', 'add', 'fork', 'restart'),
    session: fc.nat(5),
    at: fc.nat(20),
  }),
  { minLength: 4, maxLength: 14 },
);

const numbersIn = (text: string) => text.match(/<\w+>/g) ?? [];

it('holds in each SDK session exactly the messages of one session, once and in order', {
  timeout: 120_000,
}, async () => {
  await using wire = await startWireServer('openai-chat', (_, index) => reply(`<other${index}>`));
  const other = { provider: 'compatible', model: 'wire-model' };
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (taken, renames) => {
      const agentSdk = createRecordingSdk({ renames, answer: (number) => `<sdk${number}>` });
      await using store = createMemoryStore();
      const open = () => TRANSPORTS.stdio({ store, agentSdk, env: wire.env });
      let line = await open();
      const sessions = [await begin(line.client)];
      for (const [index, step] of taken.entries()) {
        const { client } = line;
        const session = sessions[step.session % sessions.length]!;
        const messages = await history(client, session);
        if (step.do === 'restart') {
          await line[Symbol.asyncDispose]();
          line = await open();
        } else if (step.do === 'fork' && messages.length > 0) {
          const at = messages[step.at % messages.length]!;
          // At the head, a fork shares what is written behind the last message too.
          sessions.push(await fork(client, session, step.at % 3 === 0 ? undefined : at.id));
        } else if (step.do === 'add') {
          const role = step.at % 2 === 0 ? 'user' : 'assistant';
          await client.call('chat/message/add', { sessionId: session, role, content: `<added${index}>` });
        } else if (step.do === 'other') {
          await ask(client, session, `<asked${index}>`, other);
        } else if (step.do === 'sdk') {
          await ask(client, session, `<asked${index}>`);
          const kept = agentSdk.conversations.get((await cliSessionOf(client, session))!)!;
          const own = await history(client, session);
          expect(numbersIn(kept.join('\n'))).toEqual(own.flatMap(({ content }) => numbersIn(content)));
        }
      }
      const ids = await Promise.all(sessions.map((id) => cliSessionOf(line.client, id)));
      const given = ids.filter((id) => id !== null);
      expect(new Set(given).size).toBe(given.length);
      await line[Symbol.asyncDispose]();
    }),
    { numRuns: 40 },
  );
});

it('does not copy an SDK session in which a turn runs, nor for a fork that lacks the answer of that turn', async () => {
  const agentSdk = createRecordingSdk();
  const go = Promise.withResolvers<void>();
  await using line = await TRANSPORTS.stdio({ agentSdk });
  const { client } = line;
  const parent = await begin(client);
  const before = await fork(client, parent, await ask(client, parent, 'One?'));
  agentSdk.halfway = ({ prompt }) => (prompt === 'Slow?' ? go.promise : undefined);
  const { aiSessionId } = await client.call('ai/session/resume', { chatSessionId: parent });
  const { messageId } = await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Slow?' });
  await until(() => agentSdk.conversations.get('sdk-1')!.includes('Slow?'));
  await ask(client, before, 'In the fork?');
  // The SDK's answer to "Slow?" is not in the log yet, and the note that the SDK has the question is.
  const between = await until(async () => {
    const child = await fork(client, parent);
    return isHeard(await line.store.session(child)) ? child : undefined;
  });
  go.resolve();
  await answerTo(client, parent, messageId);
  await ask(client, between, 'In another fork?');
  for (const { resume } of agentSdk.requests.slice(2)) expect(resume).toBeUndefined();
});

const isHeard = (info: SessionInfo | undefined) =>
  (info?.state.settings.agentSdk as { turns?: number; asking?: number } | undefined)?.turns === 2;
