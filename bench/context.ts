import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compactSession, PRESETS } from '../src/compaction/index.ts';
import { buildContext } from '../src/context/index.ts';
import { createSession, readConversation, type Session } from '../src/session/index.ts';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { alternate, interleave, median, medianTime, type Row, ratioRow } from './measure.ts';
import { messageAt } from './messages.ts';

const MESSAGES = 10_000;
const BUDGET = { window: 200_000, outputLimit: 8_000 };

/** What a request costs before it is sent: reading a long, compacted session and building its context. */
export async function benchContext(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-bench-'));
  try {
    const file = path.join(folder, 'store.db');
    await using store = await openSqliteStore(file, { durability: 'normal' });
    await using session = await createSession(store, { id: 'long' });
    for (let i = 0; i < MESSAGES; i += 500)
      await session.append(Array.from({ length: 500 }, (_, n) => messageAt(i + n)));
    const settings = { ...PRESETS.balanced, keep: { messages: 100 } };
    for (let n = 0; n < 3; n++) {
      await compactSession(session, { settings });
      await session.append(Array.from({ length: 100 }, (_, i) => messageAt(i)));
    }
    return [...(await first(session, file)), ...(await again(session))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const build = async (session: Session) =>
  buildContext({ head: [], ...(await readConversation(session.store, session.info)) }, BUDGET);

async function first(session: Session, file: string): Promise<Row[]> {
  const { roots } = session.info.state;
  const after = Math.max(...roots.map((root) => root.to));
  const db = new DatabaseSync(file, { readOnly: true });
  const position = db.prepare('select min(position) >> 32 as key from entries').get()!.key as number;
  const rows = db.prepare(
    `select id, at, body from entries where position > ((?1 << 32) | ?2) and position <= ((?1 << 32) | 4294967295) and kind = 'message'`,
  );
  const one = db.prepare('select id, at, body from entries where position = ((?1 << 32) | ?2)');
  const read = () => [...roots.map(({ seq }) => one.get(position, seq)!), ...rows.all(position, after)];
  const raw = () => read().map((row) => JSON.parse(row.body as string));
  const { text, ...figures } = await alternate({ text: read, raw, ours: () => build(session) }, 800);
  db.close();
  return [
    ratioRow(
      `build the context of a compacted session of ${MESSAGES.toLocaleString('en')} messages, against reading its rows and parsing them`,
      { ...figures, most: 3 },
    ),
    ratioRow('… against the same rows left as text', { ours: figures.ours, raw: text, most: 3 }),
  ];
}

/** In one process the entries stay where they are; only the new one is looked at. */
async function again(session: Session): Promise<Row[]> {
  const conversation = await readConversation(session.store, session.info);
  let frontier = conversation.frontier;
  const fresh = () => structuredClone(conversation.frontier);
  const figures = await interleave(
    [
      {
        name: 'first',
        round: () =>
          medianTime(20, () => buildContext({ head: [], ...conversation, frontier: fresh() }, BUDGET)),
      },
      { name: 'clone', round: () => medianTime(20, () => fresh()) },
      {
        name: 'again',
        round: () =>
          medianTime(20, (i) => {
            frontier = [...frontier.slice(1), { ...frontier.at(-1)!, seq: frontier.at(-1)!.seq + i + 1 }];
            return buildContext({ head: [], ...conversation, frontier }, BUDGET);
          }),
      },
    ],
    9,
  );
  const at = (name: string) => median(figures.get(name)!);
  return [
    ratioRow('… again after one more message, against the first time', {
      ours: at('again'),
      raw: at('first') - at('clone'),
      most: 0.3,
    }),
  ];
}
