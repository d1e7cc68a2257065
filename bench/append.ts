import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSession, type Session, type Store } from '../src/index.ts';
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
  const short = await rounds({ raw, same, session });
  await fill(store, session, 100_000);
  for (let i = 0; i < 100_000; i++) raw.append(JSON.stringify(message(i)));
  const long = await rounds({ raw, same, session });
  raw.close();
  same.close();
  return [
    ratioRow('append one message (normal), first thousands, p50', {
      ours: short.one,
      raw: short.rawOne,
      most: 1.8,
    }),
    ratioRow('… the same session at 100,000 messages, against its own start', {
      ours: long.one,
      raw: short.one,
      most: 1.2,
    }),
    ratioRow('a turn of 6 entries in one transaction (normal), against the same rows and indexes, p50', {
      ours: short.turn,
      raw: short.sameTurn,
      most: 1.3,
    }),
    {
      work: '… against rows of six columns without an index by id',
      value: `${format(short.turn)} ms / ${format(short.rawTurn)} ms = ${(short.turn / short.rawTurn).toFixed(2)} ×`,
      target: '–',
    },
  ];
}

interface Logs {
  readonly raw: ReturnType<typeof openRawLog>;
  readonly same: Awaited<ReturnType<typeof openSameRows>>;
  readonly session: Session;
}

async function rounds({ raw, same, session }: Logs) {
  const turn = (i: number) => Array.from({ length: 6 }, (_, n) => message(i * 6 + n));
  const inOne = ({ db, append }: Logs['raw'] | Logs['same'], i: number) => {
    db.exec('begin immediate');
    for (const message of turn(i)) append(JSON.stringify(message));
    db.exec('commit');
  };
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
  return { rawOne, one, rawTurn, sameTurn, turn: turns };
}

async function bytes(folder: string): Promise<Row[]> {
  const file = path.join(folder, 'bytes.db');
  const count = 20_000;
  let jsonl = 0;
  {
    await using store = await openSqliteStore(file, { durability: 'normal' });
    await using session = await createSession(store);
    await fill(store, session, count);
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

async function fill(_store: Store, session: Session, count: number): Promise<void> {
  for (let i = 0; i < count; i += 500) {
    await session.append(Array.from({ length: 500 }, (_, n) => message(i + n)));
  }
}
