import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../src/session/index.ts';
import { assistant, compaction, foreign, toolCall, toolResult, user } from '../../../../src/testing/index.ts';
import { createMachine } from '../command-line.ts';

const TALK = { id: 'talk', title: 'Auth' };

const talk = (session: Session) =>
  session.append([
    user('Why do tokens expire?\nBe short.'),
    assistant('Let me look.', {
      model: 'some-model',
      calls: [{ name: 'read_file', input: { path: 'auth.ts' } }],
    }),
    toolResult('read_file', 'line one\nline two'),
    toolCall('run_tests', { only: 'auth' }),
    toolResult('run_tests', '3 tests failed', { failed: true }),
    assistant('They expire after', { status: 'interrupted' }),
    compaction({ covers: { from: 2, to: 4 }, summary: 'Looked at auth.' }),
    { kind: 'todo', id: 'docs', text: 'Write the docs', status: 'in_progress' },
    foreign('hologram', { depth: 3 }),
  ]);

interface Shown {
  session: { id: string; title: string };
  entries: { id: string; seq: number; at: number; kind: string; tokens: number; [field: string]: unknown }[];
}

describe('throughline show', () => {
  it('tells the conversation: speakers, text, folded tools, quiet notes', async () => {
    using machine = createMachine();
    await machine.session(TALK, talk);
    const { stdout, code } = await machine.run(['show', 'talk']);
    const time = /\d{4}-\d\d-\d\d \d\d:\d\d/g;
    expect(stdout.replace(time, 'TIME').replace(/\d+ tokens/, 'N tokens')).toBe(`Auth
talk
6 messages · N tokens in the log · just now

1  title: Auth

2  user  TIME
Why do tokens expire?
Be short.

3  assistant  TIME  some-model
Let me look.
→ read_file {"path":"auth.ts"}

4  ← read_file line one line two
5  → run_tests {"only":"auth"}
6  ← run_tests failed 3 tests failed

7  assistant  TIME  interrupted
They expire after

8  compaction of 2–4, 1,000 → 100 tokens, by digest: Looked at auth.
9  to-do docs (in progress): Write the docs
10  unknown kind "hologram": {"depth":3,"kind":"hologram"}
`);
    expect(code).toBe(0);
  });

  it('prints the session and its entries as JSON, every field of a body kept', async () => {
    using machine = createMachine();
    await machine.session(TALK, talk);
    const { session, entries } = await machine.json<Shown>('show', 'talk');
    expect(session).toMatchObject({ id: 'talk', title: 'Auth', messages: 6, queries: 1 });
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(entries[1]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      seq: 2,
      at: expect.any(Number),
      kind: 'message',
      tokens: expect.any(Number),
      role: 'user',
      parts: [{ type: 'text', text: 'Why do tokens expire?\nBe short.' }],
    });
    expect(entries[8]).toMatchObject({ kind: 'todo', text: 'Write the docs', body: { id: 'docs' } });
    expect(entries[9]).toMatchObject({ kind: 'unknown', was: 'hologram', value: { depth: 3 } });
  });

  it('shows a part of it: the newest, after one entry, up to another', async () => {
    using machine = createMachine();
    await machine.session(TALK, talk);
    const seqs = async (...options: string[]) =>
      (await machine.json<Shown>('show', 'talk', ...options)).entries.map(({ seq }) => seq);
    expect(await seqs('--limit', '2')).toEqual([9, 10]);
    expect(await seqs('--after', '2', '--up-to', '6', '--limit', '3')).toEqual([4, 5, 6]);
    expect(await seqs('--entry', '5')).toEqual([5]);
    expect(await seqs('--after', '99')).toEqual([]);
  });

  it('finds an entry by its id', async () => {
    using machine = createMachine();
    await machine.session(TALK, talk);
    const { entries } = await machine.json<Shown>('show', 'talk');
    const { stdout } = await machine.run(['show', 'talk', '--entry', entries[6]!.id]);
    expect(stdout).toContain('They expire after');
    expect(stdout).not.toContain('Let me look');
  });

  it('shows the last 20 in a terminal, and says how many are older', async () => {
    using machine = createMachine();
    await machine.session({ id: 'long', title: 'Long' }, (session) =>
      session.append(Array.from({ length: 50 }, (_, i) => user(`question ${i + 1}`))),
    );
    const screen = await machine.run(['show', 'long'], { columns: 80, env: { NO_COLOR: '1' } });
    expect(screen.stdout).toContain('31 older entries are not shown; --all shows all.');
    expect(screen.stdout.match(/question \d+$/gm)).toHaveLength(20);
    expect((await machine.run(['show', 'long'])).stdout.match(/^question \d+$/gm)).toHaveLength(50);
    const all = await machine.run(['show', 'long', '--all'], { columns: 80, env: { NO_COLOR: '1' } });
    expect(all.stdout.match(/^question \d+$/gm)).toHaveLength(50);
  });

  it('leaves large values where they are, and puts them in place with --full', async () => {
    using machine = createMachine();
    const text = `start ${'x'.repeat(100_000)} end`;
    const output = `first\n${'y'.repeat(100_000)}\nlast`;
    await machine.session({ id: 'large' }, (session) =>
      session.append([user(text), toolResult('read', output)]),
    );
    const folded = await machine.run(['show', 'large']);
    expect(folded.stdout).toMatch(/start x+… \(100 kB in all; --full shows it\)/);
    expect(folded.stdout).toMatch(/← read \(100 kB\) first y+…/);
    expect(folded.stdout.length).toBeLessThan(2000);
    const full = await machine.run(['show', 'large', '--full']);
    expect(full.stdout).toContain(text);
    expect(full.stdout).toContain('  last');
    const { entries } = await machine.json<Shown>('show', 'large', '--full');
    expect(entries[0]!.parts).toEqual([{ type: 'text', text }]);
    const kept = await machine.json<Shown>('show', 'large');
    expect(kept.entries[0]!.parts).toMatchObject([{ type: 'text', text: { $blob: expect.any(String) } }]);
  });

  it('shows bytes as base64 in JSON, as models take them', async () => {
    using machine = createMachine();
    const data = new Uint8Array([1, 2, 3, 255]);
    await machine.session({ id: 'bytes' }, (session) =>
      session.append([user([{ type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data }])]),
    );
    const { entries } = await machine.json<Shown>('show', 'bytes', '--full');
    expect(entries[0]!.parts).toEqual([
      {
        type: 'file',
        mediaType: 'application/pdf',
        filename: 'a.pdf',
        data: Buffer.from(data).toString('base64'),
      },
    ]);
    expect((await machine.run(['show', 'bytes'])).stdout).toContain('[file] application/pdf a.pdf (4 bytes)');
  });

  it('lets no stored control character through, neither as text nor as JSON', async () => {
    using machine = createMachine();
    const evil = 'x\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u007fy';
    await machine.session({ id: 'evil', title: evil, tags: [evil] }, (session) =>
      session.append([
        user(evil),
        assistant(evil, { reasoning: evil, model: evil, calls: [{ name: evil, input: { [evil]: evil } }] }),
        toolResult(evil, { deep: [evil] }),
        foreign('odd', { evil }),
        { kind: 'todo', id: 'evil', text: evil, status: 'pending' },
      ]),
    );
    for (const args of [
      ['show', 'evil'],
      ['show', 'evil', '--full'],
      ['show', 'evil', '--json'],
      ['tag', 'evil'],
    ]) {
      const { stdout, stderr } = await machine.run(args);
      expect((stdout + stderr).match(/[\p{Cc}\u202e]/gu)?.filter((character) => character !== '\n')).toEqual(
        [],
      );
    }
    const { entries } = await machine.json<Shown>('show', 'evil', '--entry', '3');
    expect(entries[0]!.parts).toEqual([{ type: 'text', text: evil }]);
  });
});
