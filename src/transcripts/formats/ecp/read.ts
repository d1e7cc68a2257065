import { DatabaseSync } from 'node:sqlite';
import { ThroughlineError } from '../../../errors.ts';
import type { EntryId, Message, Role } from '../../../record/index.ts';
import { countOf, textOf, timeOf } from '../../source/fields.ts';
import { createRecordIds, type RecordIds } from '../../source/record-ids.ts';
import { type Fields, parseObject } from '../../source/recover-line.ts';
import type { Found, FoundEntry, FoundSettings, Reader } from '../../transcript.ts';

const FORMAT = 'ecp';
const PAGE = 200;

/** Reads a chat database with the tables `sessions`, `messages` and `compactions`. The file is opened to read only. */
export const readEcp: Reader = async function* ({ path, name }) {
  if (path === undefined)
    throw new ThroughlineError('transcript-unknown', `${name} is a database and has to be a file.`);
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const tables = tablesOf(db);
    for (const session of rows(db, 'select * from sessions')) {
      const id = String(session.id);
      const ids = createRecordIds(FORMAT, id);
      yield [start(session)];
      yield* readSession(db, { id, ids, tables });
    }
    yield [{ kind: 'quiet' }];
  } finally {
    db.close();
  }
};

function tablesOf(db: DatabaseSync): Set<string> {
  return new Set(
    rows(db, "select name from sqlite_schema where type = 'table'").map(({ name }) => String(name)),
  );
}

function rows(db: DatabaseSync, sql: string, ...values: (string | number)[]): Fields[] {
  return db.prepare(sql).all(...values) as Fields[];
}

function start(session: Fields): Found {
  const { id, title, name, provider, model, created_at } = session;
  const settings: FoundSettings = { agent: 'Ultra' };
  const called = textOf(title) ?? textOf(name);
  if (called) settings.title = called;
  if (typeof provider === 'string') settings.provider = provider;
  if (typeof model === 'string')
    settings.model = typeof provider === 'string' ? `${provider}:${model}` : model;
  const sdk = textOf(session.cli_session_id);
  if (sdk) settings.sdkSessionId = sdk;
  const createdAt = timeOf(created_at);
  return { kind: 'session', key: String(id), settings, ...(createdAt !== undefined && { createdAt }) };
}

interface Reading {
  readonly id: string;
  readonly ids: RecordIds;
  readonly tables: ReadonlySet<string>;
}

/** Messages in the order they were said, and each summary behind what it was made after. */
async function* readSession(
  db: DatabaseSync,
  { id, ids, tables }: Reading,
): AsyncGenerator<readonly Found[]> {
  const summaries = tables.has('compactions')
    ? rows(db, 'select * from compactions where session_id = ? order by created_at, rowid', id)
    : [];
  let offset = 0;
  for (;;) {
    const page = rows(
      db,
      'select * from messages where session_id = ? order by created_at, rowid limit ? offset ?',
      id,
      PAGE,
      offset,
    );
    offset += page.length;
    yield page.flatMap((row): Found[] => {
      const at = timeOf(row.created_at) ?? 0;
      const due = summaries.findIndex((summary) => (timeOf(summary.created_at) ?? 0) > at);
      const made = summaries.splice(0, due < 0 ? summaries.length : due);
      return [...made.flatMap((summary) => compactionOf(db, summary, ids)), messageOf(row, ids, at)];
    });
    if (page.length < PAGE) break;
  }
  yield summaries.flatMap((summary) => compactionOf(db, summary, ids));
  yield [...todosOf(db, { id, ids, tables }), ...documentsOf(db, { id, ids, tables })];
}

const ROLES = new Set(['system', 'user', 'assistant', 'tool']);

function messageOf(row: Fields, ids: RecordIds, at: number): FoundEntry {
  const { id, role, content, ...rest } = row;
  const known: Role = ROLES.has(String(role)) ? (role as Role) : 'system';
  const kept = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  const body: Message = {
    kind: 'message',
    // A tool's answer has no call to belong to here, so it becomes a note.
    role: known === 'tool' ? 'system' : known,
    parts: [{ type: 'text', text: textOf(content) ?? '' }],
    ...(known === 'assistant' && typeof rest.model === 'string' && { model: rest.model }),
    meta: { [FORMAT]: { role, ...kept } },
  };
  return { kind: 'entry', id: nameOf(ids, 'message', id), at, body };
}

function nameOf(ids: RecordIds, table: string, id: unknown): EntryId {
  return ids.named(`${table} ${String(id)}`);
}

/** A summary stands for its own range; it is open where the messages in it are shown again. */
function compactionOf(db: DatabaseSync, row: Fields, ids: RecordIds): Found[] {
  const { id, summary, start_message_id, end_message_id, created_at } = row;
  if (typeof summary !== 'string') return [{ kind: 'damage', what: 'misshapen' }];
  const at = timeOf(created_at) ?? 0;
  const own = nameOf(ids, 'compaction', id);
  const [first, last] = [start_message_id, end_message_id];
  const tokensBefore = countOf(row.original_token_count);
  const covers =
    first !== null && last !== null
      ? { covers: { from: nameOf(ids, 'message', first), to: nameOf(ids, 'message', last) } }
      : {};
  const kept = Object.fromEntries(
    Object.entries(row).filter(([name, value]) => name !== 'summary' && value !== null),
  );
  const meta = { [FORMAT]: kept };
  const body = {
    kind: 'found-compaction' as const,
    text: summary,
    ...covers,
    ...(tokensBefore !== undefined && { tokensBefore }),
    meta,
  };
  const shown = rows(db, 'select 1 from messages where id = ? and is_active = 1', String(last)).length > 0;
  const mark = { kind: 'mark' as const, target: { entry: own }, mark: 'expanded' as const };
  return [
    { kind: 'entry', id: own, at, body },
    ...(shown ? [{ kind: 'entry' as const, id: ids.beside(own, 'expanded'), at, body: mark }] : []),
  ];
}

const STATUSES = new Set(['pending', 'in_progress', 'completed', 'cancelled']);

function todosOf(db: DatabaseSync, { id, ids, tables }: Reading): Found[] {
  if (!tables.has('todos')) return [];
  return rows(db, 'select * from todos where session_id = ?', id).flatMap((row): Found[] => {
    const text = textOf(row.content) ?? textOf(row.text);
    if (text === undefined) return [{ kind: 'damage', what: 'misshapen' }];
    const status = (STATUSES.has(String(row.status)) ? row.status : 'pending') as 'pending';
    const body = { kind: 'todo' as const, id: String(row.id), text, status };
    return [
      { kind: 'entry', id: ids.named(`todo ${JSON.stringify(row)}`), at: timeOf(row.created_at) ?? 0, body },
    ];
  });
}

function documentsOf(db: DatabaseSync, { id, ids, tables }: Reading): Found[] {
  if (!tables.has('documents')) return [];
  return rows(db, 'select * from documents where session_id = ?', id).map((row): Found => {
    const content = textOf(row.content) ?? '';
    const title = textOf(row.title) ?? String(row.id);
    const body = {
      kind: 'document' as const,
      id: String(row.id),
      title,
      content: parseObject(content) ?? content,
    };
    return {
      kind: 'entry',
      id: ids.named(`document ${JSON.stringify(row)}`),
      at: timeOf(row.created_at) ?? 0,
      body,
    };
  });
}
