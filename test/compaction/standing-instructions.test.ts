import { describe, expect, it } from 'vitest';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { createSession, expandCompactions, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, compaction, restoration, system, user } from '../../src/testing/index.ts';
import { contextOf } from '../support/context-of.ts';

const settings = { ...PRESETS.window, keep: { messages: 2 } };
const ORDERS = ['Always answer in verse.  Never touch /etc.\n', 'Zweitens: immer auf Deutsch.'];
const words = 'and it goes on for quite a while so that there is something to shorten here. '.repeat(4);

async function begin(): Promise<Session> {
  const session = await createSession(createMemoryStore(), { id: 's' });
  await session.append(ORDERS.map(system));
  return session;
}

async function talk(session: Session, turns = 4): Promise<void> {
  for (let n = 0; n < turns; n++)
    await session.append([user(`Ask ${n} ${words}`), assistant(`Say ${n} ${words}`)]);
}

async function instructionsOf(session: Session): Promise<string> {
  const { instructions } = await contextOf(session.store, await session.refresh(), {
    budget: { window: 200_000 },
    head: [{ part: 'agent', text: 'You are an agent.' }],
  });
  return instructions;
}

const EXPECTED = ['You are an agent.', ...ORDERS].join('\n\n');

describe('the instructions that a conversation began with', () => {
  it.each([1, 5, 30])('are sent word for word after %i compactions', async (times) => {
    const session = await begin();
    for (let n = 0; n < times; n++) {
      await talk(session);
      await compactSession(session, { settings });
    }
    expect(session.info.state.roots.length).toBeGreaterThan(0);
    expect(await instructionsOf(session)).toBe(EXPECTED);
    expect(session.info.state.roots.every(({ from }) => from > ORDERS.length)).toBe(true);
  });

  it('stay out of a range that a person chose', async () => {
    const session = await begin();
    await talk(session);
    await compactSession(session, { settings, range: { from: 1, to: 8 } });
    expect(session.info.state.roots).toMatchObject([{ from: 3 }]);
    expect(await instructionsOf(session)).toBe(EXPECTED);
  });

  it('are taken from the log when a compaction of another program covers them', async () => {
    const session = await begin();
    await talk(session);
    const [entry] = await session.append([compaction({ covers: { from: 1, to: 8 } })]);
    expect(await instructionsOf(session)).toBe(EXPECTED);
    await expandCompactions(session, { entry: entry!.id });
    expect(await instructionsOf(session)).toBe(EXPECTED);
  });

  it('may stand behind what the session before handed on', async () => {
    const session = await createSession(createMemoryStore(), { id: 's' });
    await session.append([restoration('before'), ...ORDERS.map(system)]);
    await talk(session);
    await compactSession(session, { settings });
    expect(session.info.state.roots).toHaveLength(1);
    expect(await instructionsOf(session)).toBe(EXPECTED);
  });

  it('end where the conversation begins: a later one is a note in it', async () => {
    const session = await begin();
    await talk(session, 1);
    await session.append([system('By the way.')]);
    expect(await instructionsOf(session)).toBe(EXPECTED);
  });
});
