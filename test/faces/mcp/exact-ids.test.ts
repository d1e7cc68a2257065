import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getSession, purgeSession, trashSession } from '../../../src/session/index.ts';
import { user } from '../../../src/testing/index.ts';
import { hashLogs } from '../../support/hash-logs.ts';
import { createMachine, type Machine } from '../cli/command-line.ts';
import { type Agent, connect } from './client.ts';

/** Titles and first questions that are the ids of others, and ids that begin the same way. `gone` was purged. */
const BORN = [
  { id: 'x_2', title: 'user-bob' },
  { id: 'x_2_3', title: 'gone' },
  { id: 'user-ann', question: 'my secret is 42' },
  { id: 'user-bob', title: 'x_2' },
  { id: 'mallory', question: 'user-ann' },
  { id: 'gone_2' },
  { id: 'gone' },
];
const NAMES = [
  ...BORN.map(({ id }) => id),
  ...['x', 'X_2', 'user-', 'user-a', 'USER-ANN', 'my secret is 42', 'mall', '1', '2', 'gone_'],
];
const markerOf = (id: string) => `marker<${id}>`;

let machine: Machine;
let agent: Agent;
beforeAll(async () => {
  machine = createMachine();
  for (const { id, title, question = 'A question.' } of BORN)
    await machine.session({ id, ...(title !== undefined && { title }) }, (session) =>
      session.append([user(question), user(`Second: ${markerOf(id)}`)]),
    );
  await machine.change(async (store) => {
    await trashSession(store, 'gone');
    await purgeSession(store, await getSession(store, 'gone'));
  });
  agent = await connect(machine);
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  machine[Symbol.dispose]();
});

async function inStore<T>(work: (store: Awaited<ReturnType<Machine['open']>>) => Promise<T>): Promise<T> {
  await using store = await machine.open();
  return await work(store);
}

const hashes = () => inStore((store) => hashLogs(store, ['active', 'archived', 'trashed']));

describe('a session that a tool is given', () => {
  it('is read and written about by exactly its id', async () => {
    const before = await hashes();
    let facts = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...NAMES),
        fc.constantFrom('remember', 'read', 'checkpoint', 'search', 'recall'),
        async (name, tool) => {
          const isThere = (await inStore((store) => store.session(name))) !== undefined;
          if (tool === 'remember') {
            const asked = { fact: `Fact number ${++facts} about ${facts * 7} boxes.`, session: name };
            if (isThere) {
              await agent.call('remember', asked);
              expect(await sourceOfNewest()).toBe(name);
            } else {
              const { code } = await agent.fail('remember', asked);
              expect(code).toMatch(/^session-(?:not-found|gone)$/);
            }
            return;
          }
          const words = { search: { query: 'marker' }, recall: { question: 'Which marker?' } };
          const input = { session: name, ...words[tool as keyof typeof words] };
          if (!isThere) {
            const { code } = await agent.fail(tool, input);
            expect(code, `${tool} ${name}`).toMatch(/^session-(?:not-found|gone)$/);
            return;
          }
          const answer = JSON.stringify(await agent.call(tool, input));
          if (tool !== 'checkpoint') expect(answer).toContain(markerOf(name));
          for (const { id } of BORN)
            if (id !== name) expect(answer, `${tool} ${name}`).not.toContain(markerOf(id));
          if (tool === 'read' || tool === 'checkpoint')
            expect(JSON.parse(answer)).toMatchObject({ session: name });
        },
      ),
      { numRuns: 60 },
    );
    expect(await hashes()).toEqual(before);
  }, 120_000);

  it.each(['read', 'checkpoint', 'search', 'recall', 'remember'])(
    'is gone for %s if it was purged, also where another one is titled like its id',
    async (tool) => {
      const words = { query: 'marker', question: 'Which marker?', fact: 'The marker is blue.' };
      const field = { search: 'query', recall: 'question', remember: 'fact' }[tool] as keyof typeof words;
      const input = { session: 'gone', ...(field && { [field]: words[field] }) };
      expect(await agent.fail(tool, input)).toMatchObject({ code: 'session-gone' });
    },
  );

  it('is described to the model as what it is', async () => {
    const { tools } = await agent.client.listTools();
    const about = (name: string) => {
      const { properties = {} } = tools.find((tool) => tool.name === name)!.inputSchema;
      return JSON.stringify(properties.session);
    };
    for (const name of ['remember', 'read', 'checkpoint', 'search', 'recall'])
      expect(about(name)).toContain('whole id');
  });
});

async function sourceOfNewest(): Promise<unknown> {
  return inStore(async (store) => {
    const [memory] = (await store.list({ limit: 1, place: 'memory' })).sessions;
    const entries = await store.read(memory!.id);
    const fact = entries.findLast(({ body }) => body.kind === 'fact')?.body as {
      source?: { session?: string };
    };
    return fact.source?.session;
  });
}
