import { describe, expect, it } from 'vitest';
import type { Work } from '../../src/work/index.ts';
import { openWorkshop } from './workshop.ts';

/** An agent service as an orchestrator has one. */
async function answer(systemPrompt: string, prompt: string): Promise<string> {
  return `I read ${systemPrompt.length} characters. You said: ${prompt}`;
}

describe('a project manager in a chat', () => {
  async function handleUserMessage(work: Work, featureId: string, message: string): Promise<string> {
    const sessionId = await work.getOrCreateSession('pm-feature', featureId);
    await work.addMessage(sessionId, 'user', message);
    const { systemPrompt, userPrompt, totalTokens } = await work.buildRequest(sessionId, message);
    expect(totalTokens).toBeLessThan(100_000);
    expect(systemPrompt).not.toContain(`**User**: ${message}`);
    await work.addMessage(sessionId, 'assistant', await answer(systemPrompt, userPrompt));
    return sessionId;
  }

  it('goes on in one session, and each request holds earlier messages', async () => {
    await using shop = await openWorkshop();
    const first = await handleUserMessage(shop.work, 'auth', 'We need a login.');
    const second = await handleUserMessage(shop.work, 'auth', 'And a logout.');
    expect(second).toBe(first);
    const { systemPrompt } = await shop.work.buildRequest(first, 'Plan it.');
    expect(systemPrompt).toMatch(
      /\*\*User\*\*: We need a login\.\n\n\*\*Assistant\*\*: I read \d+ characters/,
    );
    expect(systemPrompt).toContain('**User**: And a logout.');
  });
});

describe('a developer in iterations', () => {
  async function runDevAgentIteration(work: Work, iteration: number, failing: string[]): Promise<string> {
    const sessionId = await work.getOrCreateSession('dev-task', 'auth', 'login', 'in_dev');
    const prompt = `These checks fail: ${failing.join(', ')}.`;
    await work.addMessage(sessionId, 'user', `Iteration ${iteration}: ${prompt}`);
    const { systemPrompt, userPrompt } = await work.buildRequest(sessionId, prompt);
    await work.addMessage(sessionId, 'assistant', await answer(systemPrompt, userPrompt));
    await work.recordLoop(sessionId, iteration, { passed: ['build'], failed: failing, lastError: 'boom' });
    return sessionId;
  }

  it('works in the session of the state that the task is in', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    await work.moveTask('auth', 'login', 'in_dev');
    const id = await runDevAgentIteration(work, 1, ['lint', 'test']);
    await runDevAgentIteration(work, 2, ['test']);
    expect((await work.checkpoint(id)).ralphLoop).toEqual({
      currentIteration: 2,
      passedChecks: ['build'],
      failedChecks: ['test'],
      lastError: 'boom',
    });
    const { states } = {
      states: Map.groupBy((await work.task('auth', 'login')).sessions, ({ state }) => state),
    };
    expect([...states.keys()]).toEqual(['in_dev']);
  });
});

describe('a tester', () => {
  it('is shown the checkpoint of the developer by naming it, to read, and only then', async () => {
    await using shop = await openWorkshop();
    const { work } = shop;
    const dev = await work.getOrCreateSession('dev-task', 'auth', 'login', 'in_dev');
    const qa = await work.getOrCreateSession('qa-task', 'auth', 'login', 'in_qa');
    await work.addMessage(dev, 'user', 'Build it.');
    await work.addMessage(
      dev,
      'assistant',
      'Decision: passwords are hashed with scrypt.\nDone: the form checks both fields.',
    );
    expect((await work.buildRequest(qa, 'Check it.')).systemPrompt).not.toContain('scrypt');

    await work.showCheckpoint(qa, dev);
    const { systemPrompt } = await work.buildRequest(qa, 'Check it.');
    expect(systemPrompt).toContain(`# Checkpoint of ${dev} (read-only)`);
    expect(systemPrompt).toContain('- passwords are hashed with scrypt.');
    expect(systemPrompt).toContain('- the form checks both fields.');
    expect(systemPrompt).not.toContain('**User**: Build it.');

    await work.addMessage(dev, 'user', 'Go on.');
    await work.addMessage(dev, 'assistant', 'Blocker: nobody knows the salt.');
    expect((await work.buildRequest(qa, 'Check it.')).systemPrompt).toContain('nobody knows the salt.');
    const before = (await shop.store.session(dev))!.head;
    await work.buildRequest(qa, 'Check it.');
    expect((await shop.store.session(dev))!.head).toBe(before);
    expect((await work.checkpoint(qa)).summary.decisions).toEqual([]);

    await work.hideCheckpoint(qa, dev);
    expect((await work.buildRequest(qa, 'Check it.')).systemPrompt).not.toContain('scrypt');
    await expect(work.showCheckpoint(qa, 'none')).rejects.toMatchObject({ code: 'session-not-found' });
    await expect(work.showCheckpoint(qa, qa)).rejects.toMatchObject({ code: 'usage' });
  });
});

it('a session that belongs to no board is not asked for a request', async () => {
  await using shop = await openWorkshop();
  await shop.store.create({ id: 'chat' });
  await expect(shop.work.buildRequest('chat', 'Hello.')).rejects.toMatchObject({ code: 'usage' });
  await expect(shop.work.buildRequest('none', 'Hello.')).rejects.toMatchObject({ code: 'session-not-found' });
});
