import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { MAYBE_RUN } from '../../src/agent/close-turn.ts';
import { tellEntry } from '../agent/told.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer, type WireServer } from '../support/wire-server.ts';
import { obligingModel } from './chat-model.ts';
import { type ChatPlace, createChatPlace } from './chat-place.ts';

// A chat whose agent looks and paints: looking may be done again, a coat of paint may not.

const QUESTION = 'Paint the house.';

const AGENT = `
import { appendFileSync } from 'node:fs';
export const name = 'Painter';
export const instructions = 'You paint houses.';
export const tools = {
  look: { description: 'Looks', inputSchema: { type: 'object' }, repeatable: true, execute: () => 'it is grey' },
  paint: {
    description: 'Paints',
    inputSchema: { type: 'object', properties: { coat: { type: 'number' } } },
    execute({ coat }) {
      appendFileSync('coats', coat + '\\n');
      return 'coat ' + coat + ' is on';
    },
  },
};`;

const SAID = [
  'user: Paint the house.',
  'assistant: First a look, then a coat. look({}) paint({"coat":1})',
  'tool: = it is grey',
  'tool: = coat 1 is on',
  'assistant: And another. paint({"coat":2})',
  'tool: = coat 2 is on',
  'assistant: The house is painted.',
];

/** What the model says depends on nothing but what it is sent. */
function painter() {
  return obligingModel({
    answer({ body }) {
      const messages = (body as { messages: { role: string }[] }).messages;
      const answers = messages.filter(({ role }) => role === 'assistant').length;
      const call = (id: string, name: string, input: unknown) => ({ id, name, input });
      if (answers === 0)
        return reply('First a look, then a coat.', {
          finish: 'tool-calls',
          calls: [call('c1', 'look', {}), call('c2', 'paint', { coat: 1 })],
        });
      if (answers === 1)
        return reply('And another.', { finish: 'tool-calls', calls: [call('c3', 'paint', { coat: 2 })] });
      return reply('The house is painted.');
    },
  });
}

interface House extends AsyncDisposable {
  readonly place: ChatPlace;
  /** Says it to the chat program, which dies after so many commits to its store. */
  talk(lines: readonly string[], dieAfter?: number): ReturnType<ChatPlace['talk']>;
  /** How many commits the last talk made. */
  commits(): number;
  coats(): string[];
  /** What the newest session says, as one would tell it. */
  told(): Promise<string[]>;
}

async function openHouse(): Promise<House> {
  const place = createChatPlace();
  const server: WireServer = await startWireServer('anthropic', painter());
  const file = (name: string) => path.join(place.folder, name);
  writeFileSync(file('painter.mjs'), AGENT);
  const preload = path.join(import.meta.dirname, 'die-after-writes.ts');
  return {
    place,
    talk: (lines, dieAfter) =>
      place.talk(lines, {
        args: ['--agent', 'painter.mjs'],
        env: {
          ...server.env,
          NODE_OPTIONS: `--import ${preload}`,
          COUNT_IN: file('commits'),
          ...(dieAfter !== undefined && { DIE_AFTER: String(dieAfter) }),
        },
      }),
    commits: () => Number(readFileSync(file('commits'), 'utf8')),
    coats: () => (existsSync(file('coats')) ? readFileSync(file('coats'), 'utf8').trim().split('\n') : []),
    async told() {
      await using store = await place.open();
      const { sessions } = await store.list({ limit: 10 });
      const logs = await Promise.all(sessions.map(({ id }) => store.read(id, { only: 'messages' })));
      return (logs.find((entries) => entries.length > 0) ?? []).map(tellEntry);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}

/** How many times a chat that nobody disturbs commits. */
export async function countCommits(): Promise<number> {
  await using house = await openHouse();
  expect((await house.talk([QUESTION])).code).toBe(0);
  expect(await house.told()).toEqual(SAID);
  expect(house.coats()).toEqual(['1', '2']);
  return house.commits();
}

/** Kills the chat after so many commits, goes on with it in another process, and compares with what nobody disturbed. */
export async function killChatAfter(commits: number): Promise<string[]> {
  await using house = await openHouse();
  expect((await house.talk([QUESTION], commits)).signal).toBe('SIGKILL');
  const left = await house.told();
  const again = await house.talk([left.length === 0 ? QUESTION : 'retry']);
  expect(again.code, again.stderr).toBe(0);
  const log = await house.told();
  // Begun and not told of: nobody knows whether the coat is on, and it is not put on again.
  const unknown = `tool!: = error ${MAYBE_RUN}`;
  const told = log.map((line, at) => (line === unknown ? SAID[at] : line));
  expect(told).toEqual(SAID);
  expect(log.filter((line) => line === unknown).length).toBeLessThanOrEqual(1);
  const coats = house.coats();
  expect(new Set(coats).size).toBe(coats.length);
  expect(coats.length + log.filter((line) => line === unknown).length).toBeGreaterThanOrEqual(2);
  return log;
}
