import { describe, expect, it } from 'vitest';
import { openAgent } from '../../src/agent/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';

describe('an agent on a session', () => {
  it.each([
    ['contextwindow', 'window'],
    ['Tools', 'tools'],
    ['timeout', 'timeoutMs'],
    ['toString', undefined],
  ])('is not opened with the option "%s", which there is not', async (name, nearest) => {
    await using store = createMemoryStore();
    await using session = await createSession(store);
    await expect(openAgent(session, { [name]: 5 })).rejects.toMatchObject({
      code: 'usage',
      details: { option: name, ...(nearest && { nearest }) },
    });
  });

  it.each([
    ['systemPrompt', 'createSession(store, { settings: { systemPrompt } })'],
    ['instructions', 'agent: { name, instructions }'],
  ])('says where "%s" belongs', async (name, place) => {
    await using store = createMemoryStore();
    await using session = await createSession(store);
    const refused = openAgent(session, { [name]: 'Be kind.' });
    await expect(refused).rejects.toThrow(place);
    await expect(refused).rejects.not.toThrow('Did you mean');
  });

  it.each<[string, unknown, string]>([
    ['a model that is a number', { model: 7 }, '7 is no model.'],
    ['a model with another field', { model: { name: 'gpt-5' } }, '{ name } is no model.'],
    ['the name of a module', { agent: './sally.mjs' }, 'agent: await loadAgent("./sally.mjs")'],
  ])('is not opened with %s', async (_, options, message) => {
    await using store = createMemoryStore();
    await using session = await createSession(store);
    await expect(openAgent(session, options as object)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
  });

  it('takes null for a model as none', async () => {
    await using store = createMemoryStore();
    await using session = await createSession(store, { settings: { model: 'offline:quotes' } });
    await using agent = await openAgent(session, { model: null as never });
    expect(agent.model.because).toBe('session');
  });

  it.each([undefined, null, 7, {}, { parts: 7 }])('sends nothing where the message is %j', async (input) => {
    await using store = createMemoryStore();
    await using session = await createSession(store);
    await using agent = await openAgent(session, { model: 'offline:quotes' });
    await expect(agent.send(input as never)).rejects.toMatchObject({ code: 'usage' });
    expect((await session.refresh()).totals.messages).toBe(0);
  });
});
