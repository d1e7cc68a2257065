import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { user } from '../../../src/testing/index.ts';
import {
  findAgentHomes,
  findFiles,
  followFiles,
  type ImportOptions,
  type ImportReport,
  importFile,
  openKnownFiles,
} from '../../../src/transcripts/index.ts';
import * as claude from '../formats/claude-code/lines.ts';
import * as codex from '../formats/codex/rollouts.ts';
import * as pi from '../formats/pi/records.ts';
import { logOfSession, sessionsOf } from '../transfer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'throughline-import-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function importAll(store: Store, path: string, options?: ImportOptions) {
  const outcomes = [];
  for await (const file of findFiles([path])) outcomes.push(await importFile(store, file, options));
  return outcomes;
}

describe('files on the disk', () => {
  it('are found below a folder, and other files are passed by', async () => {
    write('a/one.jsonl', claude.ordinary());
    write('b/two.jsonl', pi.tree());
    write('b/notes.md', '# Notes\n');
    write('node_modules/three.jsonl', codex.bare());
    write('.git/four.jsonl', codex.bare());
    write('picture.png', 'x');
    const store = createMemoryStore();
    const outcomes = await importAll(store, folder);
    expect(outcomes.map(({ file, skipped }) => [path.basename(file.path), skipped])).toEqual([
      ['one.jsonl', undefined],
      ['notes.md', 'unknown'],
      ['two.jsonl', undefined],
    ]);
  });

  it('that were named and are none are an error', async () => {
    const store = createMemoryStore();
    const file = write('notes.md', '# Notes\n');
    await expect(importAll(store, file)).rejects.toMatchObject({ code: 'transcript-unknown' });
    expect(await sessionsOf(store)).toEqual([]);
  });

  it('are not read again until they change', async () => {
    const memory = path.join(folder, 'known.json');
    const file = write('a.jsonl', codex.ordinary());
    const store = createMemoryStore();
    const once = async () => {
      const known = openKnownFiles(memory);
      for await (const found of findFiles([file])) {
        const outcome = await importFile(store, found, { known });
        known.save();
        return outcome;
      }
      return undefined;
    };
    const first = await once();
    expect(first?.reports[0]?.added).toBeGreaterThan(10);
    const second = await once();
    expect(second).toMatchObject({
      skipped: 'unchanged',
      reports: [{ added: 0, messages: first!.reports[0]!.messages }],
    });
    appendFileSync(
      file,
      `${JSON.stringify({ timestamp: '2026-07-01T00:00:00Z', type: 'event_msg', payload: { type: 'x' } })}\n`,
    );
    expect(await once()).toMatchObject({ reports: [{ added: 1 }] });
  });

  it('of a session that was purged are left out, unless the file is named', async () => {
    const store = createMemoryStore();
    const known = openKnownFiles();
    const file = write('a.jsonl', codex.ordinary());
    const [first] = await importAll(store, file, { known });
    const { id } = first!.reports[0]!;
    await store.purge(id);
    const count = async () => (await store.count()).active;
    for (const _ of [1, 2]) {
      const [met] = await importAll(store, path.dirname(file), { known });
      expect(met?.reports).toMatchObject([{ id, added: 0, purged: true }]);
      expect(await count()).toBe(0);
    }
    const [named] = await importAll(store, file, { known });
    const again = named!.reports[0]!;
    expect(again.added).toBe(first!.reports[0]!.added);
    expect([id.startsWith(again.id), again.id.startsWith(id)]).toEqual([false, false]);
    for (const place of [file, path.dirname(file)]) {
      const [repeated] = await importAll(store, place);
      expect(repeated?.reports).toMatchObject([{ id: again.id, added: 0 }]);
      expect(await count()).toBe(1);
    }
    await expect(store.read(id)).rejects.toMatchObject({ code: 'session-gone' });
  });

  it('of a branch that was purged leave it out, unless the file is named', async () => {
    const store = createMemoryStore();
    const lines = codex.ordinary().trimEnd().split('\n');
    const file = write('a.jsonl', `${lines.slice(0, -2).join('\n')}\n`);
    const [first] = await importAll(store, file);
    const root = first!.reports[0]!.id;
    await store.append(root, [{ body: user('here') }]);
    writeFileSync(file, `${lines.join('\n')}\n`);
    const [second] = await importAll(store, file);
    const branch = second!.reports[0]!.id;
    expect([branch.startsWith(root), root.startsWith(branch)]).toEqual([false, false]);
    const before = await logOfSession(store, root);
    await store.purge(branch);
    await importAll(store, path.dirname(file));
    expect([(await store.count()).active, await logOfSession(store, root)]).toEqual([1, before]);
    const [third] = await importAll(store, file);
    expect(third!.reports[0]!.added).toBeGreaterThan(0);
    expect(third!.reports[0]!.id).not.toBe(branch);
    expect((await store.count()).active).toBe(2);
  });

  it('of one name and two programs are two sessions', async () => {
    const store = createMemoryStore();
    await store.create({ id: 'a1b2c3d4-0000-4000-8000-000000000001' }, [{ body: user('mine') }]);
    const [outcome] = await importAll(store, write('a.jsonl', pi.beside()));
    expect(outcome?.reports[0]?.id).toMatch(/^[0-9a-f]{8}_a1b2c3d4-0000-4000-8000-000000000001$/);
    expect(await logOfSession(store, 'a1b2c3d4-0000-4000-8000-000000000001')).toHaveLength(1);
  });

  it('make a fork when the session was continued here', async () => {
    const store = createMemoryStore();
    const lines = codex.ordinary().trimEnd().split('\n');
    const file = write('a.jsonl', `${lines.slice(0, -2).join('\n')}\n`);
    const [first] = await importAll(store, file);
    await store.append(first!.reports[0]!.id, [{ body: user('here') }]);
    writeFileSync(file, `${lines.join('\n')}\n`);
    const [second] = await importAll(store, file);
    expect(second?.reports[0]).toMatchObject({ branches: 1 });
    expect(second?.reports[0]?.id).not.toBe(first?.reports[0]?.id);
    const [third] = await importAll(store, file);
    expect(third?.reports[0]).toMatchObject({ id: second!.reports[0]!.id, added: 0 });
  });

  it('are imported as they grow, one reply at a time', async () => {
    const all = claude.ordinary().trimEnd().split('\n');
    const file = write('live.jsonl', `${all.slice(0, 3).join('\n')}\n`);
    const store = createMemoryStore();
    const stop = new AbortController();
    const seen: number[] = [];
    let wake = () => {};
    const following = followFiles(store, [folder], {
      signal: stop.signal,
      onReports: (reports) => {
        seen.push(reports[0]!.messages);
        wake();
      },
      onError: (error) => expect.fail(String(error)),
    });
    const next = () => new Promise<void>((resolve) => (wake = resolve));
    await next();
    for (const part of [all.slice(3, 6), all.slice(6)]) {
      const heard = next();
      appendFileSync(file, `${part.join('\n')}\n`);
      await heard;
    }
    stop.abort();
    await following;
    expect(seen.at(-1)).toBe(6);
    const whole = createMemoryStore();
    await importAll(whole, file);
    const words = async (one: Store) => {
      const [session] = await sessionsOf(one);
      const gone = (seq: number) =>
        session!.state.removed.some((range) => 'from' in range && seq >= range.from && seq <= range.to);
      return (await logOfSession(one, session!.id)).flatMap(({ body, seq }) =>
        body.kind === 'message' && !gone(seq) ? [body.parts] : [],
      );
    };
    expect(await words(store)).toEqual(await words(whole));
    await importAll(store, file);
    expect(await words(store)).toEqual(await words(whole));
  });
});

describe('files that are followed', () => {
  /** Follows the folder until `work` is done, which may wait for the next reports. */
  async function following(work: (next: () => Promise<ImportReport[]>) => Promise<void>): Promise<Store> {
    const store = createMemoryStore();
    const stop = new AbortController();
    const heard: ImportReport[][] = [];
    let wake = () => {};
    const ended = followFiles(store, [folder], {
      signal: stop.signal,
      onReports: (reports) => {
        heard.push([...reports]);
        wake();
      },
      onError: (error) => expect.fail(String(error)),
    });
    await work(async () => {
      if (heard.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return heard.shift()!;
    });
    stop.abort();
    await ended;
    return store;
  }

  const spoken = async (store: Store) => {
    const all = (await sessionsOf(store)).map(({ id }) => logOfSession(store, id));
    return JSON.stringify(await Promise.all(all));
  };
  const lines = (count: number, first = 'One?') => {
    const made = pi.createFile();
    made.user(first);
    for (let n = 1; n < count; n++) made.user(`Question ${n}?`);
    return made.text();
  };

  it('are read again when another file takes the place of one', async () => {
    const file = write('a.jsonl', lines(3));
    const store = await following(async (next) => {
      await next();
      renameSync(write('draft.part', lines(5)), file);
      expect(await next()).toMatchObject([{ messages: 5, added: 2 }]);
      // Now the old one lives on under another name.
      renameSync(file, path.join(folder, 'old.part'));
      renameSync(write('draft.part', lines(6)), file);
      expect(await next()).toMatchObject([{ messages: 6, added: 1 }]);
    });
    expect(await spoken(store)).toContain('Question 5?');
  });

  it('are read again when one is cut and written anew', async () => {
    const file = write('a.jsonl', lines(30));
    const store = await following(async (next) => {
      await next();
      writeFileSync(file, lines(2, 'Something else?'));
      await next();
    });
    expect(await spoken(store)).toContain('Something else?');
  });

  it('say what came since they were heard of last, however old or whole they are', async () => {
    const old = write('old.jsonl', lines(10));
    const long = new Date(Date.now() - 3_600_000);
    utimesSync(old, long, long);
    await following(async (next) => {
      expect((await next())[0]!.messages).toBe(10);
      appendFileSync(old, lines(11).slice(lines(10).length));
      utimesSync(old, long, new Date(long.getTime() + 1000));
      expect(await next()).toMatchObject([{ messages: 11, added: 1 }]);
      appendFileSync(old, lines(13).slice(lines(11).length));
      expect(await next()).toMatchObject([{ messages: 13, added: 2 }]);
      appendFileSync(old, lines(14).slice(lines(13).length));
      expect(await next()).toMatchObject([{ messages: 14, added: 1 }]);
    });
  });
});

describe('where agents keep their sessions', () => {
  it('is known for each, and may be set', () => {
    for (const name of ['.claude/projects', '.pi/agent/sessions', 'elsewhere/sessions'])
      mkdirSync(path.join(folder, name), { recursive: true });
    const homes = findAgentHomes({
      home: folder,
      folder,
      env: { CODEX_HOME: path.join(folder, 'elsewhere') },
    });
    expect(homes.map(({ agent }) => agent)).toEqual(['Claude Code', 'pi', 'Codex']);
  });
});
