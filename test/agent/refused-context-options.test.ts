import { describe, expect, it } from 'vitest';
import { contextFor } from '../../src/agent/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { user } from '../../src/testing/index.ts';

async function ask(options: unknown) {
  await using store = createMemoryStore();
  await using session = await createSession(store);
  await session.append([user('Hello')]);
  return await contextFor(store, session.id, options as object);
}

describe('the context of a session', () => {
  it.each<[unknown, string]>([
    [{ windw: 5 }, 'Did you mean "window"?'],
    [{ at: 'x' }, '"at" of contextFor has to be a whole number, 0 or more, and is "x"'],
    [{ at: 1.5 }, '"at"'],
    [{ at: -1 }, '"at"'],
    [{ at: Number.NaN }, '"at"'],
    [{ window: 'x' }, '"window"'],
    [{ window: null }, '"window" of contextFor has to be a number, and is null'],
    [{ recall: 'x' }, '"recall" of contextFor has to be true or false or a number'],
    [{ memory: 'no' }, '"memory"'],
    [{ tools: 5 }, '"tools"'],
    [{ tools: { look: null } }, 'The tool "look" is null.'],
    [{ agent: './sally.mjs' }, 'agent: await loadAgent("./sally.mjs")'],
    [{ agent: {} }, '"agent" is an agent, and has no "instructions"'],
    [{ model: 5 }, '5 is no model.'],
    [{ model: '' }, 'The name of the model is empty.'],
    [{ question: 5 }, 'the message is a number'],
    [{ question: {} }, 'an object without "parts"'],
    [{ question: [null] }, 'a list with null in it'],
    [null, 'The options of contextFor are null.'],
  ])('is not made with %j', async (options, message) => {
    await expect(ask(options)).rejects.toMatchObject({ message: expect.stringContaining(message) });
    await expect(ask(options)).rejects.toHaveProperty(
      'code',
      expect.stringMatching(/^(usage|model-unknown)$/),
    );
  });

  it('takes null for no model, no agent and no question', async () => {
    const { context } = await ask({ model: null, agent: null, question: null });
    expect(context.messages).toEqual((await ask({})).context.messages);
  });

  it('is made for no session whose id is no text', async () => {
    await using store = createMemoryStore();
    await expect(contextFor(store, undefined as never)).rejects.toMatchObject({
      code: 'session-id-invalid',
      message: expect.stringContaining('undefined'),
    });
  });
});
