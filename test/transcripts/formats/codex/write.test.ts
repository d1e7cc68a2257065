import { describe, expect, it } from 'vitest';
import type { SessionInfo } from '../../../../src/record/index.ts';
import { createSession, forkSession } from '../../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../../src/store/index.ts';
import { assistant, compaction, user } from '../../../../src/testing/index.ts';
import { readCodex } from '../../../../src/transcripts/formats/codex/read.ts';
import { writeCodex } from '../../../../src/transcripts/formats/codex/write.ts';
import { exportFiles, exportText, importText, roundTrip } from '../../transfer.ts';
import { createRollout } from './rollouts.ts';

interface Line {
  type: string;
  payload: Record<string, unknown> & { type?: string; content?: { text: string }[] };
}

async function ours(store: Store): Promise<string> {
  await using session = await createSession(store, { id: 'ours_1', project: '/shop' });
  await session.append([user('One?'), assistant('Two.'), user('Three?'), assistant('Four.')]);
  await session.append([
    compaction({ covers: { from: 1, to: session.info.head - 2 }, summary: 'They count.' }),
  ]);
  return session.id;
}

async function written(store: Store, id: string): Promise<Line[]> {
  const text = await exportText(store, id, writeCodex, { alone: false });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** What Codex goes on with: the newest replacement, and what comes after it. */
function goesOnWith(lines: readonly Line[]): string[] {
  const last = lines.findLastIndex(({ type }) => type === 'compacted');
  const replaced = last < 0 ? [] : (lines[last]!.payload.replacement_history as Line['payload'][]);
  const after = lines
    .slice(last + 1)
    .flatMap(({ type, payload }) => (type === 'response_item' ? [payload] : []));
  return [...replaced, ...after].map(({ content }) => content![0]!.text.split('\n').at(-1)!);
}

describe('a rollout for Codex', () => {
  it('names no provider, for Codex would go on with that one alone', async () => {
    const store = createMemoryStore();
    const [header] = await written(store, await ours(store));
    expect(header).toMatchObject({ type: 'session_meta', payload: { cwd: '/shop' } });
    expect(header!.payload).not.toHaveProperty('model_provider');
  });

  it('has the summary in place of its range, and kept messages behind it', async () => {
    const store = createMemoryStore();
    expect(goesOnWith(await written(store, await ours(store)))).toEqual(['They count.', 'Three?', 'Four.']);
  });

  it('has the summary that a fork shares with its parent', async () => {
    const store = createMemoryStore();
    const info = (await store.session(await ours(store)))!;
    const fork = await forkSession(store, info, { at: info.head, id: 'ours_2' });
    await store.append(fork.id, [{ body: user('Five?') }]);
    expect(goesOnWith(await written(store, fork.id))).toEqual(['They count.', 'Three?', 'Four.', 'Five?']);
  });

  describe('of a session that came from one', () => {
    /** Three questions; the second and the third were taken back, and another was asked. */
    async function imported(store: Store, { rolledBack }: { rolledBack: boolean }) {
      const file = createRollout();
      for (const words of ['One?', 'Two?', 'Three?']) {
        file.user(words);
        file.assistant(`${words} Yes.`);
      }
      if (rolledBack) {
        file.event({ type: 'thread_rolled_back', num_turns: 2 });
        file.user('Other?');
        file.assistant('Other? Yes.');
      }
      const [report] = await importText(store, readCodex, file.text(), { format: 'codex' });
      const { sessions } = await store.list({ limit: 10 });
      const root = sessions.find(({ parent }) => !parent)!;
      return { file, report: report!, root };
    }

    async function forkBehind(store: Store, info: SessionInfo, words: string) {
      const all = await store.read(info.id, {});
      const { seq } = all.findLast(({ body }) => JSON.stringify(body).includes(words))!;
      return forkSession(store, info, { at: seq, id: 'fork_1' });
    }

    it('has nothing of what the other line said after a fork', async () => {
      const store = createMemoryStore();
      const { root } = await imported(store, { rolledBack: false });
      const fork = await forkBehind(store, root, 'One? Yes.');
      expect(goesOnWith(await written(store, fork.id))).toEqual(['One?', 'One? Yes.']);
      await store.append(fork.id, [{ body: user('New?') }, { body: assistant('New.') }]);
      expect(goesOnWith(await written(store, fork.id))).toEqual(['One?', 'One? Yes.', 'New?', 'New.']);
    });

    it('has turns taken back there, if that is the line asked for', async () => {
      const store = createMemoryStore();
      const { root, report, file } = await imported(store, { rolledBack: true });
      expect(report.id).not.toBe(root.id);
      const lines = await written(store, root.id);
      expect(goesOnWith(lines)).toHaveLength(6);
      expect(JSON.stringify(lines)).not.toContain('thread_rolled_back');
      expect(await exportText(store, report.id, writeCodex)).toBe(file.text());
    });

    it('goes on where the file ended in a fork that was made there', async () => {
      const store = createMemoryStore();
      const { report, file } = await imported(store, { rolledBack: true });
      const info = (await store.session(report.id))!;
      const fork = await forkSession(store, info, { at: info.head, id: 'fork_1' });
      await store.append(fork.id, [{ body: user('New?') }]);
      const text = await exportText(store, fork.id, writeCodex);
      expect(text.startsWith(file.text())).toBe(true);
      expect(text.slice(file.text().length)).toContain('New?');
    });

    it('has another name in its header if it is given one', async () => {
      const store = createMemoryStore();
      const { root } = await imported(store, { rolledBack: false });
      const name = '00000000-0000-4000-8000-00000000abcd';
      const files = await exportFiles(store, root.id, writeCodex, { name });
      const [file, text] = [...files][0]!;
      expect(file).toContain(name);
      expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({ payload: { id: name } });
      expect(text).not.toContain(root.id);
    });
  });

  it('takes the words by which Codex knows a summary for no part of it, and writes them again', async () => {
    const store = createMemoryStore();
    const { payload } = (await written(store, await ours(store))).find(({ type }) => type === 'compacted')!;
    expect(payload.message).toMatch(/^Another language model .*\n## Conversation Summary\nThey count\.$/s);
    const file = createRollout();
    file.user('One?');
    file.add('compacted', { message: payload.message });
    file.user('Two?');
    const back = createMemoryStore();
    const [report] = await importText(back, readCodex, file.text());
    const notes = await back.read(report!.id, { only: 'notes' });
    const summaries = notes.flatMap(({ body }) =>
      body.kind === 'compaction' ? [body.summary.overview] : [],
    );
    expect(summaries.join()).not.toContain('Another language model');
    expect(summaries.join()).toContain('They count.');
    const again = await roundTrip({ reader: readCodex, writer: writeCodex, format: 'codex' }, file.text());
    expect(again.text).toBe(file.text());
    expect(again.second).toEqual(again.first);
  });
});
