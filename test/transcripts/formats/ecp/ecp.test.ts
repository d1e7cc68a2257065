import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { readFrontier } from '../../../../src/session/index.ts';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { importFile } from '../../../../src/transcripts/index.ts';
import { logOfSession, sessionsOf } from '../../transfer.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'throughline-ecp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function database(): { file: string; db: DatabaseSync } {
  const file = path.join(folder, `${Math.random().toString(36).slice(2)}.db`);
  const db = new DatabaseSync(file);
  db.exec(`
    create table sessions (id text primary key, title text, provider text, model text, created_at integer);
    CREATE TABLE messages (id text primary key, session_id text, role text, content text,
      is_active integer default 1, compacted_into_id text, created_at integer);
    CREATE TABLE compactions (id text primary key, session_id text not null, summary text not null, start_message_id text,
      end_message_id text, messages_compacted integer, original_token_count integer, compressed_token_count integer,
      created_at integer);
    create table todos (id text primary key, session_id text, content text, status text);
    insert into sessions values ('sess-1', 'Auth', 'claude', 'sonnet', 1737000000000);
    insert into todos values ('1', 'sess-1', 'Test it', 'in_progress');
  `);
  const add = db.prepare('insert into messages values (?, ?, ?, ?, ?, null, ?)');
  for (let n = 1; n <= 9; n++)
    add.run(
      `msg-${n}`,
      'sess-1',
      n % 2 ? 'user' : 'assistant',
      `message ${n}`,
      n > 6 ? 1 : 0,
      1737000000000 + n * 1000,
    );
  const summarise = db.prepare('insert into compactions values (?, ?, ?, ?, ?, 3, 500, 20, ?)');
  summarise.run(
    'cmp-1',
    'sess-1',
    '## Conversation Summary\n- one to three',
    'msg-1',
    'msg-3',
    1737000005500,
  );
  summarise.run('cmp-2', 'sess-1', '## Conversation Summary\n- four to six', 'msg-4', 'msg-6', 1737000009500);
  return { file, db };
}

const found = (file: string) => ({ path: file, size: 1, mtimeMs: 1, named: true });

describe('a chat database', () => {
  it('becomes sessions, each summary standing for its own range', async () => {
    const { file, db } = database();
    db.close();
    const store = createMemoryStore();
    const { reports } = await importFile(store, found(file));
    expect(reports).toMatchObject([{ format: 'ecp', id: 'sess-1', messages: 9, compactions: 2 }]);
    const [session] = await sessionsOf(store);
    expect(session?.state).toMatchObject({ title: { text: 'Auth' }, settings: { model: 'claude:sonnet' } });
    expect(Object.keys(session!.state.todos)).toEqual(['1']);
    const frontier = await readFrontier(store, session!);
    expect(frontier.map(({ body }) => body.kind)).toEqual([
      ...['compaction', 'compaction', 'message', 'message', 'message'],
    ]);
    expect((await importFile(store, found(file))).reports[0]?.added).toBe(0);
  });

  it('shows compactions that were expanded there', async () => {
    const { file, db } = database();
    db.exec("update messages set is_active = 1 where id in ('msg-4', 'msg-5', 'msg-6')");
    db.close();
    const store = createMemoryStore();
    await importFile(store, found(file));
    const frontier = await readFrontier(store, (await sessionsOf(store))[0]!);
    expect(frontier).toHaveLength(7);
  });

  it('adds newer messages', async () => {
    const { file, db } = database();
    const store = createMemoryStore();
    await importFile(store, found(file));
    db.exec("insert into messages values ('msg-10', 'sess-1', 'assistant', 'more', 1, null, 1737000010000)");
    db.close();
    expect((await importFile(store, found(file))).reports[0]).toMatchObject({ added: 1, branches: 0 });
    expect((await logOfSession(store, 'sess-1')).at(-1)?.body).toMatchObject({ parts: [{ text: 'more' }] });
  });
});
