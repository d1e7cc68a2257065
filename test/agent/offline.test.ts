import { describe, expect, it } from 'vitest';
import { runTurn, type TurnOptions } from '../../src/agent/index.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';

const open = async (): Promise<Session> => {
  const session = await createSession(createMemoryStore(), { id: 's' });
  await session.append([
    user('We need rate limits for the public API.'),
    assistant('We decided to use a token bucket with Redis, 100 requests per minute for each user.'),
    user('Please also write the integration tests for the limiter.'),
    assistant('I will write the integration tests for the limiter next.'),
  ]);
  return session;
};
const ask = async (session: Session, question: string, options: TurnOptions = {}) =>
  (await runTurn(session, question, { model: 'offline', ...options })).text;

describe('with no model', () => {
  it('the session answers with quotes, names the missing model and how to connect one', async () => {
    const text = await ask(await open(), 'How many requests per minute did we settle on?');
    expect(text).toMatch(/^offline: no model is connected/);
    expect(text).toContain('100 requests per minute for each user');
    expect(text).toMatch(/set ANTHROPIC_API_KEY.*OLLAMA_HOST/s);
  });

  it('what the project knows answers too', async () => {
    const knowledge = async (question: string) => {
      expect(question).toContain('port');
      return [{ who: 'project', text: 'Redis listens on port 6390.' }];
    };
    expect(await ask(await open(), 'Which port is Redis on?', { knowledge })).toContain(
      'project: Redis listens on port 6390.',
    );
  });

  it('a memory that fails is no reason not to answer', async () => {
    const knowledge = () => Promise.reject(new Error('the index is gone'));
    expect(await ask(await open(), 'What about the token bucket?', { knowledge })).toContain(
      'token bucket with Redis',
    );
  });

  it('the state of the work answers a question about it', async () => {
    const text = await ask(await open(), 'Where were we, and what is still open?');
    expect(text).toMatch(/- (?:decided|open|done): /);
  });

  it('only fitting lines are quoted: the state of the work is no answer to another question', async () => {
    const session = await open();
    expect(await ask(session, 'Which colour is the logo?')).toContain('says nothing about your question');
  });

  it('an empty session says so, costs nothing and is counted like any other', async () => {
    const session = await createSession(createMemoryStore(), { id: 'new' });
    expect(await ask(session, 'Hello?')).toContain('This session says nothing about your question yet');
    expect(session.info.totals.queries).toBe(1);
    expect((await session.read()).at(-1)!.body).toMatchObject({ model: 'offline:quotes' });
  });

  it('earlier offline answers are not quoted as sources', async () => {
    const session = await open();
    await ask(session, 'What about the token bucket?');
    const again = await ask(session, 'What about the token bucket?');
    expect(again.match(/^- .*/gm)).toEqual([
      '- assistant: We decided to use a token bucket with Redis, 100 requests per minute for each user.',
    ]);
  });
});
