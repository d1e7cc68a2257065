import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createSession, type Session } from '../src/index.ts';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { alternate, format, type Row, ratioRow } from './measure.ts';
import { messageAt } from './messages.ts';
import { openRawLog } from './raw-log.ts';
import { openSameRows } from './same-rows.ts';

/** Made beforehand: making up text is not what is measured. */
const MESSAGES = Array.from({ length: 600 }, (_, index) => messageAt(index));
const message = (index: number) => MESSAGES[index % MESSAGES.length]!;

/** Appends of single messages and of whole turns, at both durabilities and at two lengths; and what they weigh. */
export async function benchAppend(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-bench-'));
  try {
    return [...(await full(folder)), ...(await normal(folder)), ...(await bytes(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function full(folder: string): Promise<Row[]> {
  const raw = openRawLog(path.join(folder, 'raw-full.db'), 'full');
  await using store = await openSqliteStore(path.join(folder, 'full.db'), { durability: 'full' });
  await using session = await createSession(store);
  const figures = await alternate(
    { raw: (i) => raw.append(JSON.stringify(message(i))), ours: (i) => session.append([message(i)]) },
    400,
  );
  raw.close();
  return [
    ratioRow('append one message, on disk when acknowledged (full), p50', {
      ...figures,
      most: 1.3,
    }),
  ];
}

async function normal(folder: string): Promise<Row[]> {
  const raw = openRawLog(path.join(folder, 'raw.db'), 'normal');
  await using store = await openSqliteStore(path.join(folder, 'normal.db'), { durability: 'normal' });
  await using session = await createSession(store);
  const same = await openSameRows(path.join(folder, 'same.db'));
  const { rawOne, one } = await alternate(
    { rawOne: (i) => raw.append(JSON.stringify(message(i))), one: (i) => session.append([message(i)]) },
    4_000,
  );
  const { rawTurn, sameTurn, turns } = await alternate(
    {
      rawTurn: (i) => inOne(raw, i),
      sameTurn: (i) => inOne(same, i),
      turns: (i) => session.append(turn(i)),
    },
    1_000,
  );
  raw.close();
  same.close();
  await fill(session, 100_000);
  // Beside it a store that has just begun, because minutes lie between its own beginning and now.
  await using newStore = await openSqliteStore(path.join(folder, 'new.db'), { durability: 'normal' });
  await using newSession = await createSession(newStore);
  const { start, later } = await alternate(
    { start: (i) => newSession.append([message(i)]), later: (i) => session.append([message(i)]) },
    4_000,
  );
  return [
    ratioRow('append one message (normal), first thousands, p50', {
      ours: one,
      raw: rawOne,
      most: 1.8,
    }),
    ratioRow('… in a session of 100,000 messages, against one that has just begun', {
      ours: later,
      raw: start,
      most: 1.2,
    }),
    ratioRow('a turn of 6 entries in one transaction (normal), against the same rows and indexes, p50', {
      ours: turns,
      raw: sameTurn,
      most: 1.3,
    }),
    {
      work: '… against rows of six columns without an index by id',
      value: `${format(turns)} ms / ${format(rawTurn)} ms = ${(turns / rawTurn).toFixed(2)} ×`,
      target: '–',
    },
  ];
}

function turn(i: number) {
  return Array.from({ length: 6 }, (_, n) => message(i * 6 + n));
}

interface BareLog {
  readonly db: DatabaseSync;
  append(body: string): unknown;
}

function inOne({ db, append }: BareLog, i: number): void {
  db.exec('begin immediate');
  for (const message of turn(i)) append(JSON.stringify(message));
  db.exec('commit');
}

async function bytes(folder: string): Promise<Row[]> {
  const file = path.join(folder, 'bytes.db');
  const count = 20_000;
  let jsonl = 0;
  {
    await using store = await openSqliteStore(file, { durability: 'normal' });
    await using session = await createSession(store);
    await fill(session, count);
    for await (const entry of session.entries()) jsonl += Buffer.byteLength(JSON.stringify(entry)) + 1;
  }
  const ratio = statSync(file).size / jsonl;
  return [
    {
      work: `bytes on disk, ${count} messages, against the same entries as JSONL`,
      value: `${format(statSync(file).size / count)} B / ${format(jsonl / count)} B = ${ratio.toFixed(2)} ×`,
      target: '≤ 1.25 ×',
      met: ratio <= 1.25,
    },
  ];
}

async function fill(session: Session, count: number): Promise<void> {
  for (let i = 0; i < count; i += 500) {
    await session.append(Array.from({ length: 500 }, (_, n) => message(i + n)));
  }
}
