import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentChange, loadAgent, useAgent } from '../../src/agent/index.ts';
import { createSession, openSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { startChild, tempFolder } from '../flows/child.ts';

const SALLY = `export const name = 'Sally'; export const instructions = 'Be brief.';`;
const ECHO = `{ echo: { inputSchema: { type: 'object' }, execute: (input) => input } }`;

interface Case {
  readonly kind: string;
  readonly file: string;
  readonly source: string;
  readonly what: RegExp;
  readonly line?: number;
}

const BROKEN: readonly Case[] = [
  {
    kind: 'a slip of the pen',
    file: 'slip.mjs',
    source: `${SALLY}\n\nexport const tools = {{;`,
    line: 3,
    what: /SyntaxError/,
  },
  {
    kind: 'an error while it loads',
    file: 'throws.mjs',
    source: `${SALLY}\nnull.x();`,
    line: 2,
    what: /null/,
  },
  {
    kind: 'a slip in TypeScript',
    file: 'slip.ts',
    source: `${SALLY}\nconst a: string = ;`,
    line: 2,
    what: /Expression expected/,
  },
  {
    kind: 'TypeScript that cannot be stripped',
    file: 'enum.ts',
    source: `${SALLY}\nenum A { B }`,
    what: /enum/,
  },
  {
    kind: 'an import that is not there',
    file: 'import.mjs',
    source: `import 'nowhere';\n${SALLY}`,
    what: /Cannot find package 'nowhere'/,
  },
  {
    kind: 'no name',
    file: 'nameless.mjs',
    source: `export const instructions = '';`,
    what: /"name" is missing/,
  },
  {
    kind: 'instructions that are no text',
    file: 'number.mjs',
    source: `export const name = 'A'; export const instructions = 1;`,
    what: /"instructions"/,
  },
  {
    kind: 'a tool that does nothing',
    file: 'idle.mjs',
    source: `${SALLY} export const tools = { idle: { inputSchema: {} } };`,
    what: /"tools" has a tool without "execute"/,
  },
  {
    kind: 'a tool that is no function',
    file: 'odd.mjs',
    source: `${SALLY} export const tools = { odd: { inputSchema: {}, execute: 1 } };`,
    what: /"tools.odd.execute" is not a function/,
  },
  {
    kind: 'a tool without a schema',
    file: 'shapeless.mjs',
    source: `${SALLY} export const tools = { odd: { execute() {} } };`,
    what: /"tools.odd.inputSchema" is missing/,
  },
  {
    kind: 'a model that is none',
    file: 'model.mjs',
    source: `${SALLY} export const model = 7;`,
    what: /"model" is neither/,
  },
];

const SOUND = [
  { file: 'sally.ts', source: SALLY.replace("'Sally'", "'Sally' as string") },
  {
    file: 'max.mjs',
    source: `export default { name: 'Max', instructions: '', tools: ${ECHO}, model: 'offline' };`,
  },
];

describe('an agent module', () => {
  const folder = tempFolder();
  const results = new Map<string, unknown>();

  beforeAll(async () => {
    const files = [...SOUND, ...BROKEN].map(({ file, source }) => {
      writeFileSync(folder.file(file), source);
      return folder.file(file);
    });
    const samples = ['plain', 'workbench'].map((name) => path.resolve('examples/agents', `${name}.ts`));
    const child = startChild(path.join('..', 'agent', 'load-agents.ts'), [...files, ...samples]);
    const { stderr } = await child.ended;
    expect(stderr).toBe('');
    for (const [index, file] of [...files, ...samples].entries())
      results.set(path.basename(file), JSON.parse(child.lines[index]!));
  });
  afterAll(() => folder[Symbol.dispose]());

  it('is loaded by path, with named exports or a default', () => {
    expect(results.get('sally.ts')).toEqual({ name: 'Sally', tools: [], path: folder.file('sally.ts') });
    expect(results.get('max.mjs')).toMatchObject({ name: 'Max', tools: ['echo'], model: 'offline' });
  });

  it('is among the examples, with and without tools', () => {
    expect(results.get('plain.ts')).toMatchObject({ name: 'Simple Sally', tools: [] });
    expect(results.get('workbench.ts')).toMatchObject({
      tools: ['read_file', 'list_files', 'write_file', 'run_command'],
    });
  });

  it.each(BROKEN)('with $kind says where and what', ({ file, line, what }) => {
    const place = folder.file(file);
    expect(results.get(file)).toMatchObject({
      code: 'agent-broken',
      message: expect.stringContaining(line === undefined ? place : `${place}:${line}`),
      details: { file: place, what: expect.stringMatching(what), ...(line !== undefined && { line }) },
    });
  });

  it('is read again after it was changed', async () => {
    using folder = tempFolder();
    const file = folder.file('agent.mjs');
    writeFileSync(file, SALLY);
    expect((await loadAgent(file)).name).toBe('Sally');
    writeFileSync(file, SALLY.replace('Sally', 'Sue'));
    utimesSync(file, new Date(), new Date(Date.now() + 5_000));
    expect((await loadAgent(file)).name).toBe('Sue');
  });

  it('that is not there, or is a folder, says that', async () => {
    using folder = tempFolder();
    await expect(loadAgent(folder.file('none.ts'))).rejects.toThrow('there is no such file');
    await expect(loadAgent(folder.path)).rejects.toThrow('it is not a file');
  });
});

describe('the agent of a session', () => {
  async function held() {
    const folder = tempFolder();
    writeFileSync(folder.file('sally.mjs'), SALLY);
    writeFileSync(folder.file('max.mjs'), SALLY.replace('Sally', 'Max'));
    const session = await createSession(createMemoryStore(), { id: 's' });
    await useAgent(session, folder.file('sally.mjs'));
    return { folder, session, [Symbol.dispose]: () => folder[Symbol.dispose]() };
  }

  it('is remembered, and found again without being named', async () => {
    using story = await held();
    const { folder, session } = story;
    await session.close();
    await using again = await openSession(session.store, 's');
    expect(again.info.state.settings).toEqual({ agent: 'Sally', agentPath: folder.file('sally.mjs') });
    expect(await useAgent(again)).toMatchObject({ name: 'Sally' });
    expect(await again.read()).toHaveLength(2);
  });

  it('is replaced by another on request only', async () => {
    using story = await held();
    const { folder, session } = story;
    const max = folder.file('max.mjs');
    await expect(useAgent(session, max)).rejects.toMatchObject({
      code: 'agent-differs',
      details: { from: folder.file('sally.mjs'), to: max },
    });
    const asked: AgentChange[] = [];
    const confirm = (answer: boolean) => (change: AgentChange) => {
      asked.push(change);
      return answer;
    };
    await expect(useAgent(session, max, { confirm: confirm(false) })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(session.info.state.settings.agent).toBe('Sally');
    expect(asked[0]!.question).toBe(
      `Session created with ${folder.file('sally.mjs')}, using ${max}. Continue?`,
    );
    await useAgent(session, max, { confirm: confirm(true) });
    expect(session.info.state.settings).toEqual({ agent: 'Max', agentPath: max });
    expect(asked).toHaveLength(2);
  });

  it('is the same one however its folder is reached', async () => {
    using story = await held();
    const { folder, session } = story;
    symlinkSync(folder.path, folder.file('link'));
    expect(await useAgent(session, path.join(folder.file('link'), 'sally.mjs'))).toMatchObject({
      name: 'Sally',
    });
  });

  it('that is broken changes nothing', async () => {
    using story = await held();
    const { folder, session } = story;
    writeFileSync(folder.file('broken.mjs'), 'export const name = ');
    await expect(useAgent(session, folder.file('broken.mjs'))).rejects.toMatchObject({
      code: 'agent-broken',
    });
    expect(session.info.state.settings.agent).toBe('Sally');
  });

  it('may be none', async () => {
    const session = await createSession(createMemoryStore(), { id: 's' });
    expect(await useAgent(session)).toBeUndefined();
  });
});
