import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compactSession, PRESETS } from '../../../src/compaction/index.ts';
import { linkLabel, placeFolder } from '../../../src/project/index.ts';
import { excludeEntries, openSession, trashSession } from '../../../src/session/index.ts';
import { assistant, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { countText } from '../../../src/tokens/index.ts';
import { createMachine, type Machine } from '../cli/command-line.ts';
import { type Agent, connect } from './client.ts';

const LONG = Array.from({ length: 20_000 }, (_, n) => `line ${n} of the log`).join('\n');

let machine: Machine;
let agent: Agent;

/** Numbers are those of the log: the first entries are the title and the like. */
beforeAll(async () => {
  machine = createMachine();
  await machine.session({ id: 'printer', title: 'The edition', agent: 'Sally' }, (session) =>
    session.append([
      user('The printer in Leeds charges 4711 pounds for the edition.'),
      assistant('Noted. We decided to print in Leeds instead of York.'),
      toolCall('Edit', { file_path: 'docs/budget.md', text: 'printer: 4711' }),
      toolResult('Edit', LONG),
      assistant('The budget is written down.'),
      user('This one is a secret: swordfish.'),
      user('Thanks. What about the weather?'),
      assistant('Sunny.'),
    ]),
  );
  await machine.session({ id: 'weather' }, (session) => session.append([user('Rain in Hull all week?')]));
  await machine.change(async (store) => {
    await using session = await openSession(store, 'printer');
    const [secret] = (await session.read({ only: 'messages' })).filter(({ body }) =>
      JSON.stringify(body).includes('swordfish'),
    );
    await excludeEntries(session, { entry: secret!.id });
    await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 2 } } });
  });
  agent = await connect(machine);
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  machine[Symbol.dispose]();
});

interface Hits {
  hits: { session: string; seq: number; entry: string; snippet: string }[];
}

describe('an agent with the official client', () => {
  it('is offered six tools, with what they do and whether they write', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['search', true],
      ['recall', true],
      ['read', true],
      ['remember', false],
      ['sessions', true],
      ['checkpoint', true],
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description!.length).toBeGreaterThan(80);
      expect(inputSchema.type).toBe('object');
    }
    expect(agent.client.getInstructions()).toContain('recall');
  });

  it('searches everything, with filters, and opens what it finds', async () => {
    const { hits } = await agent.call<Hits>('search', { query: 'what does the printer charge', limit: 1 });
    expect(hits[0]).toMatchObject({ session: 'printer', snippet: expect.stringContaining('4711') });
    const { seq, entry } = hits[0]!;
    for (const asked of [seq, String(seq), `#${seq}`, entry])
      expect(await agent.text('read', { session: 'printer', entry: asked })).toContain('4711 pounds');
    const only = async (filter: object) =>
      (await agent.call<Hits>('search', { query: '', ...filter })).hits.map(({ session }) => session);
    expect(new Set(await only({ session: 'weather' }))).toEqual(new Set(['weather']));
    expect(new Set(await only({ agent: 'Sally' }))).toEqual(new Set(['printer']));
    expect(await only({ file: 'docs/budget.md' })).toEqual(['printer']);
    expect(await only({ decision: true })).toEqual(['printer']);
    expect(await only({ until: '2001-01-01' })).toEqual([]);
    expect(await agent.text('search', { query: 'xyzzyplugh' })).toContain('Nothing was found');
  });

  it('recalls messages about a question, with their neighbours', async () => {
    const text = await agent.text('recall', { question: 'How much does the printer in Leeds want?' });
    expect(text).toMatch(/user, [\d-]+, session printer: The printer in Leeds charges 4711/);
    expect(text).toContain('We decided to print in Leeds');
    const here = await agent.call<{ originals: { session: string }[] }>('recall', {
      question: 'printer',
      session: 'weather',
    });
    expect(here.originals.every(({ session }) => session === 'weather')).toBe(true);
  });

  it('reads a long entry to its end in bounded pieces, and the end of a session', async () => {
    const { hits } = await agent.call<Hits>('search', { query: '"line 7 of the log"' });
    const { seq } = hits[0]!;
    let text = '';
    let pieces = 0;
    for (let offset: number | undefined = 0; offset !== undefined; pieces++) {
      const input = { session: 'printer', entry: seq, offset, maxTokens: 10_000 };
      const piece: { entries: { text: string; nextOffset?: number }[] } = await agent.call('read', input);
      expect(countText(piece.entries[0]!.text)).toBeLessThanOrEqual(10_000);
      text += piece.entries[0]!.text;
      offset = piece.entries[0]!.nextOffset;
    }
    expect(text).toBe(`(Edit) ${LONG}`);
    expect(pieces).toBeGreaterThan(5);
    const end = await agent.text('read', { session: 'printer', maxTokens: 500 });
    expect(end).toContain('Sunny.');
    expect(countText(end)).toBeLessThanOrEqual(500);
  });

  it('is not given what people took out of a conversation', async () => {
    const asked = await Promise.all([
      agent.text('search', { query: 'secret swordfish' }),
      agent.text('search', { query: '', limit: 50 }),
      agent.text('recall', { question: 'what is the secret swordfish' }),
      agent.text('read', { session: 'printer', maxTokens: 10_000 }),
    ]);
    for (const text of asked) expect(text).not.toContain('swordfish');
  });

  it('lists sessions, a page at a time', async () => {
    const { sessions, cursor } = await agent.call<{ sessions: { id: string }[]; cursor?: string }>(
      'sessions',
      {
        limit: 1,
      },
    );
    const next = await agent.call<{ sessions: { id: string }[] }>('sessions', { limit: 5, cursor });
    expect([...sessions, ...next.sessions].map(({ id }) => id).sort()).toEqual(['printer', 'weather']);
    expect(await agent.text('sessions', { agent: 'Sally' })).toMatch(/^printer: The edition \(8 messages/);
    expect(await agent.text('sessions', { find: 'EDITIÓN the' })).toMatch(/^printer: [^\n]+$/);
    expect(await agent.text('sessions', { find: 'nothing' })).toBe('There are no sessions here.');
    expect(await agent.text('sessions', { tag: 'none' })).toBe('There are no sessions here.');
  });

  it('names a project as people do, wherever sessions of it are looked for', async () => {
    const folder = path.join(machine.home, 'press');
    mkdirSync(folder);
    let id = '';
    await machine.change(async (store) => {
      const { project } = await placeFolder(store, folder);
      id = (await linkLabel(store, project, 'printing')).id;
      for (const [session, label] of Object.entries({
        'press-1': folder,
        'press-2': 'printing',
        'press-3': id,
      }))
        await store.create({ id: session }, [
          { body: { kind: 'setting', name: 'project', value: label, by: 'user' } },
          { body: user('The zeppelin is late.') },
        ]);
    });
    const all = ['press-1', 'press-2', 'press-3'];
    const idsIn = (found: readonly { id?: string; session?: string }[]) =>
      found.map((each) => each.id ?? each.session).sort();
    for (const project of [id, 'press', folder, 'printing']) {
      const { sessions } = await agent.call<{ sessions: { id: string }[] }>('sessions', { project });
      expect(idsIn(sessions)).toEqual(all);
      const { hits } = await agent.call<Hits>('search', { query: 'zeppelin', project });
      expect(idsIn(hits)).toEqual(all);
    }
    const { hits } = await agent.call<Hits>('search', { query: 'zeppelin', project: 'nowhere' });
    expect(hits).toEqual([]);
    await machine.change(async (store) => {
      for (const session of all) await trashSession(store, session);
    });
  });

  it('gets the state of the work', async () => {
    const { checkpoint, versions } = await agent.call<{
      checkpoint: { decisions: { text: string }[]; files: { path: string }[] };
      versions: number;
    }>('checkpoint', { session: 'printer' });
    expect(versions).toBe(1);
    expect(JSON.stringify(checkpoint.decisions)).toContain('Leeds');
    expect(checkpoint.files).toMatchObject([{ path: 'docs/budget.md' }]);
    expect(await agent.text('checkpoint', { session: 'weather' })).toContain('Nothing was summarised');
  });

  it('remembers facts for the project it works in, once, and gets contradictions', async () => {
    const said = {
      session: 'printer',
      entry: (await agent.call<Hits>('search', { query: '4711' })).hits[0]!.seq,
    };
    const first = await agent.call<{ fact: { id: string } }>('remember', {
      fact: 'The port is 8080.',
      ...said,
    });
    expect(await agent.call('remember', { fact: 'the port is 8080' })).toMatchObject({ repeated: true });
    const second = await agent.call<{ fact: { id: string } }>('remember', { fact: 'The port is 9090.' });
    expect(second).toMatchObject({ contradicts: [{ id: first.fact.id }] });
    const supersedes = [first.fact.id.slice(-8), second.fact.id];
    await agent.call('remember', { fact: 'The port is 9191.', decision: true, supersedes });
    const known = await machine.runBare(['memory', '--store', machine.storeFile, '--json']);
    expect(known.stdout).toContain('The port is 9191.');
    expect(known.stdout).not.toContain('The port is 8080.');
    expect(known.stdout).toContain('test-agent');
  });

  it('is offered sessions, checkpoints and the memory of the project as resources', async () => {
    const { resources } = await agent.client.listResources();
    expect(resources.map(({ uri }) => uri).sort()).toEqual([
      'throughline://memory',
      'throughline://sessions',
      'throughline://sessions/printer',
      'throughline://sessions/printer/checkpoint',
      'throughline://sessions/weather',
    ]);
    const read = async (uri: string) => {
      const { contents } = await agent.client.readResource({ uri });
      return (contents[0] as { text: string }).text;
    };
    expect(JSON.parse(await read('throughline://sessions'))).toHaveLength(2);
    expect(await read('throughline://sessions/printer')).toContain('Sunny.');
    expect(await read('throughline://sessions/printer/checkpoint')).toContain('Leeds');
    expect(await read('throughline://memory')).toContain('#');
    await expect(read('throughline://sessions/prin')).rejects.toThrow('not found');
    await expect(read('throughline://sessions/%E0%A4%A')).rejects.toThrow('not found');
  });

  it.each([
    ['read', { session: 'nobody' }, 'session-not-found', 'The tool "sessions" lists them'],
    ['read', { session: 'printer', entry: 9999 }, 'entry-not-found', 'numbered 1 to'],
    ['read', { session: 'printer', entry: 'x' }, 'usage', 'neither the number nor the id'],
    ['read', {}, 'usage', '"session"'],
    ['search', { query: 'x', limit: 1000 }, 'usage', '"limit"'],
    ['search', { query: 'x', rôle: 'user' }, 'usage', 'The tool takes'],
    ['search', { query: 'x', since: 'never' }, 'usage', '"since": "never" is no time'],
    ['recall', { question: 'x', until: '' }, 'usage', '"until": "" is no time'],
    ['read', { session: 'printer', entry: {} }, 'usage', '"entry": '],
    ['checkpoint', { session: 'printer', version: 7 }, 'entry-not-found', 'there is no 7'],
    ['remember', { fact: ' ' }, 'usage', 'words'],
    ['remember', { fact: 'x', supersedes: ['0000'] }, 'usage', 'supersedes'],
    ['remember', { fact: 'x', supersedes: ['00000000'] }, 'fact-not-found', 'throughline://memory'],
    ['remember', { fact: 'x', project: 'nowhere' }, 'project-not-found', 'nowhere'],
  ])('gets the next step from %s %j: %s', async (tool, input, code, hint) => {
    expect(await agent.fail(tool, input)).toMatchObject({ code, message: expect.stringContaining(hint) });
  });

  it('left nothing on stderr, and the index beside the store', () => {
    expect(agent.stderr()).toBe('');
    const files = readdirSync(path.dirname(machine.storeFile));
    expect(files.some((file) => file.startsWith('store.index'))).toBe(true);
  });
});
