import { describe, expect, it } from 'vitest';
import { createSession, forkSession, readFrontier } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { assistant, compaction, system, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { FORMATS, type FormatName, formatNamed } from '../../src/transcripts/index.ts';
import * as claude from './formats/claude-code/lines.ts';
import * as codex from './formats/codex/rollouts.ts';
import * as pi from './formats/pi/records.ts';
import { exportFiles, exportText, importText, logOfSession } from './transfer.ts';

/** Formats that agents go on with: they have to keep what was said and done. */
const AGENTS: readonly FormatName[] = ['throughline', 'claude-code', 'pi', 'codex'];

async function read(store: Store, format: FormatName, text: string) {
  const [report] = await importText(store, await formatNamed(format).reader(), text, { format });
  return report!;
}

async function write(store: Store, id: string, format: FormatName): Promise<string> {
  return exportText(store, id, await formatNamed(format).writer!());
}

/** What a model would be told: who said what, what was called, and what came back. */
async function conversationOf(store: Store, id: string): Promise<string[]> {
  return (await logOfSession(store, id)).flatMap(({ body }) => {
    if (body.kind !== 'message' || body.role === 'system') return [];
    return body.parts.flatMap((part) => {
      if (part.type === 'text') return [`${body.role}: ${part.text}`];
      if (part.type === 'tool-call') return [`call ${part.toolCallId} ${part.toolName}`];
      return part.type === 'tool-result' ? [`result ${part.toolCallId}`] : [];
    });
  });
}

describe('moving a session from one agent to another', () => {
  const samples = [
    ['claude-code', claude.ordinary()],
    ['pi', pi.beside()],
    ['codex', codex.ordinary()],
  ] as const;

  it.each(samples.flatMap(([from, text]) => AGENTS.map((to) => [from, to, text] as const)))(
    'keeps every message and tool pair from %s to %s',
    async (from, to, text) => {
      const store = createMemoryStore();
      const { id, toolPairs } = await read(store, from, text);
      const other = createMemoryStore();
      const report = await read(other, to, await write(store, id, to));
      expect(report).toMatchObject({ toolPairs, damage: 0, branches: 0 });
      expect(await conversationOf(other, report.id)).toEqual(await conversationOf(store, id));
      const [before, after] = [await store.session(id), await other.session(report.id)];
      expect(after?.totals.queries).toBe(before?.totals.queries);
      expect(after?.state.settings.project).toBe(before?.state.settings.project);
    },
  );

  async function ours(store: Store): Promise<string> {
    await using session = await createSession(store, {
      id: 'ours_1',
      agent: 'Sally',
      title: 'Cart',
      project: '/shop',
    });
    await session.append([
      system('Be brief.'),
      user('Where?'),
      toolCall('grep', { pattern: 'x' }, { id: 'call|1' }),
      toolResult('grep', { hits: 2 }, { id: 'call|1' }),
      assistant('In cart.ts.', {
        usage: { inputTokens: 100, outputTokens: 5, cacheReadTokens: 60 },
        model: 'anthropic:claude-opus-4-5',
      }),
      user([
        { type: 'text', text: 'Like this?' },
        { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
      ]),
      assistant('Yes.'),
    ]);
    const head = session.info.head;
    await session.append([
      compaction({ covers: { from: 1, to: head - 2 }, summary: 'The cart was looked at.' }),
    ]);
    await session.append([user('Go on.'), assistant('Gone.')]);
    return session.id;
  }

  it.each(AGENTS)('writes a session of ours for %s, its summary as that program’s own', async (to) => {
    const store = createMemoryStore();
    const id = await ours(store);
    const other = createMemoryStore();
    const report = await read(other, to, await write(store, id, to));
    expect(report).toMatchObject({ compactions: 1, toolPairs: 1, damage: 0 });
    const clean = (lines: string[]) => lines.map((line) => line.replace('|', '_'));
    expect(clean(await conversationOf(other, report.id))).toEqual(clean(await conversationOf(store, id)));
    const frontier = await readFrontier(other, (await other.session(report.id))!);
    const [rules, first] = frontier;
    expect(rules?.body).toMatchObject({ kind: 'message', role: 'system' });
    expect(first?.body).toMatchObject({ kind: 'compaction' });
    expect(JSON.stringify(first?.body)).toContain('The cart was looked at.');
    expect(frontier.filter(({ body }) => body.kind === 'message')).toHaveLength(5);
  });

  it.each(['claude-code', 'pi'] as const)('writes forks as branches of the tree of %s', async (to) => {
    const store = createMemoryStore();
    const id = await ours(store);
    const info = (await store.session(id))!;
    const fork = await forkSession(store, info, { at: 6, id: 'ours_2' });
    await store.append(fork.id, [{ body: user('Another way?') }, { body: assistant('Sure.') }]);
    const other = createMemoryStore();
    const report = await read(other, to, await write(store, fork.id, to));
    expect(report.branches).toBe(1);
    expect((await conversationOf(other, report.id)).slice(-2)).toEqual([
      'user: Another way?',
      'assistant: Sure.',
    ]);
  });

  /** The words on the way from the last line of a file to its first. */
  function wayOf(text: string): string[] {
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const name = (record: Record<string, unknown>) => (record.uuid ?? record.id) as string;
    const byName = new Map(records.map((record) => [name(record), record]));
    const words: string[] = [];
    for (let at = records.findLast((record) => ('parentUuid' in record) || ('parentId' in record)); at; ) {
      const content = at.message?.content;
      words.unshift(
        ...(typeof content === 'string'
          ? [content]
          : (content ?? []).map(({ text }: { text: string }) => text)),
      );
      const parent = at.parentUuid ?? at.parentId;
      at = parent && byName.get(parent);
    }
    return words.filter(Boolean);
  }

  describe.each(['claude-code', 'pi'] as const)(
    'a file for %s ends where the session asked for does',
    (to) => {
      async function family() {
        const store = createMemoryStore();
        const sample = to === 'pi' ? pi.beside() : claude.branched();
        const { id } = await read(store, to, sample);
        const info = (await store.session(id))!;
        const { seq } = (await logOfSession(store, id)).findLast(
          ({ body }) => body.kind === 'message' && body.role === 'assistant',
        )!;
        const whole = wayOf(await write(store, id, to));
        return { store, info, seq, whole };
      }
      const say = (words: string) => [{ body: user(words) }, { body: assistant(`${words} Yes.`) }];

      it('if nothing was said in it yet', async () => {
        const { store, info, seq, whole } = await family();
        const empty = await forkSession(store, info, { at: seq - 1, id: 'empty_1' });
        const sibling = await forkSession(store, info, { at: seq - 1, id: 'sibling_1' });
        await store.append(sibling.id, say('Another way?'));
        const text = await write(store, empty.id, to);
        expect(wayOf(text)).toEqual(whole.slice(0, -1));
        const before = (await store.list({ limit: 100 })).sessions.length;
        expect(await read(store, to, text)).toMatchObject({ added: 0, damage: 0 });
        expect((await store.list({ limit: 100 })).sessions).toHaveLength(before);
      });

      it('if only a setting was made in it', async () => {
        const { store, info, seq, whole } = await family();
        const fork = await forkSession(store, info, { at: seq - 1, id: 'empty_1' });
        await store.append(fork.id, [{ body: { kind: 'setting', name: 'title', value: 'New', by: 'user' } }]);
        expect(wayOf(await write(store, fork.id, to))).toEqual(whole.slice(0, -1));
      });

      it('if a sibling went on after its last word, and a setting was made since', async () => {
        const { store, info, seq, whole } = await family();
        const fork = await forkSession(store, info, { at: seq, id: 'fork_1' });
        const sibling = await forkSession(store, info, { at: seq - 1, id: 'sibling_1' });
        await store.append(fork.id, say('First?'));
        await store.append(sibling.id, say('Second?'));
        await store.append(fork.id, [{ body: { kind: 'setting', name: 'title', value: 'New', by: 'user' } }]);
        expect(wayOf(await write(store, fork.id, to))).toEqual([...whole, 'First?', 'First? Yes.']);
      });

      it('if it was forked at its end and continued there', async () => {
        const { store, info, whole } = await family();
        const fork = await forkSession(store, info, { at: info.head, id: 'fork_1' });
        await store.append(fork.id, say('On?'));
        expect(wayOf(await write(store, info.id, to))).toEqual(whole);
      });

      it('under another name, if it is given one', async () => {
        const { store, info } = await family();
        const name = '00000000-0000-4000-8000-00000000abcd';
        const files = await exportFiles(store, info.id, await formatNamed(to).writer!(), { name });
        const [file, text] = [...files][0]!;
        expect(file).toContain(name);
        expect(text).toContain(name);
        expect(text).not.toContain((info.state.settings.source as { session: string }).session);
        const other = createMemoryStore();
        const report = await read(other, to, text);
        expect(report.id.startsWith(name)).toBe(true);
        expect(await conversationOf(other, report.id)).toEqual(await conversationOf(store, info.id));
      });
    },
  );

  it('writes a file of pi’s first version as the line that is asked for', async () => {
    const store = createMemoryStore();
    const { id } = await read(store, 'pi', pi.first());
    const fork = await forkSession(store, (await store.session(id))!, { at: 6, id: 'fork_1' });
    await store.append(fork.id, [{ body: user('Another way?') }]);
    const text = await write(store, fork.id, 'pi');
    expect(text).toContain('Another way?');
    expect(text).not.toContain('Which is newer?');
    expect(await write(store, id, 'pi')).toBe(pi.first());
  });

  it('has a reader for every format, and a writer where it says so', async () => {
    for (const { name, reader, writer } of FORMATS) {
      expect([name, typeof (await reader())]).toEqual([name, 'function']);
      if (writer) expect([name, typeof (await writer())]).toEqual([name, 'function']);
    }
  });
});
