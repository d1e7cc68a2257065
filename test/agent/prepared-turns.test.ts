import { describe, expect, it } from 'vitest';
import { openAgent, type TurnEvent } from '../../src/agent/index.ts';
import { createSession, labelSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { held, reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';

describe('the turns of an agent', () => {
  it('run a message that waited with the model that the session is set to when it begins', async () => {
    const gate = Promise.withResolvers<void>();
    await using server = await startWireServer('openai-chat', () => held(reply('Yes.'), gate.promise));
    await using store = createMemoryStore();
    await using session = await createSession(store);
    const chosen: string[] = [];
    const onChosen = ({ id }: { id: string }) => chosen.push(id);
    await using agent = await openAgent(session, { openModel: { env: server.env }, onChosen });
    const first = agent.send('One?');
    await server.received(1);
    const stored = Promise.withResolvers<void>();
    const onEvent = ({ type }: TurnEvent) => type === 'input-stored' && stored.resolve();
    const second = agent.send('Two, which the first model may not hear?', { onEvent });
    await stored.promise;
    await labelSession(store, session.info, { settings: { provider: 'offline', model: null } });
    gate.resolve();
    await Promise.all([first, second]);
    expect(server.requests).toHaveLength(1);
    expect(chosen.at(-1)).toBe('offline:quotes');
  });

  it('say each turn why the agent module that it remembers is left out', async () => {
    await using store = createMemoryStore();
    await using session = await createSession(store, { settings: { agentPath: '/nowhere/agent.mjs' } });
    await using agent = await openAgent(session, { model: 'offline' });
    const problems: string[] = [];
    const onEvent = (event: TurnEvent) => event.type === 'agent-left-out' && problems.push(event.problem);
    await agent.send('Hello', { onEvent });
    expect(problems).toEqual([agent.agentProblem]);
    expect(problems[0]).toContain('/nowhere/agent.mjs');
  });
});
