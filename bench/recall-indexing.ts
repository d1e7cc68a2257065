import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Message, Store } from '../src/index.ts';
import { type Embedder, openRecall } from '../src/search/index.ts';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { format, interleave, lowerQuartile, median, type Row } from './measure.ts';
import { messageAt } from './messages.ts';
import { wordyMessageAt } from './recall-messages.ts';

const MESSAGES = 6_000;
const ROUNDS = 5;
/** Many short ones: of a loaded machine the undisturbed quarter counts. */
const ROUNDS_OF_APPENDS = 60;
const APPENDS = 100;
/** Of several sizes, the one that is fastest for the bare table. */
const BATCH = 1_000;

/** How fast an index is made, against the same texts in a bare full-text table; and what appending pays for it. */
export async function benchIndexing(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-bench-'));
  try {
    await using store = await openSqliteStore(path.join(folder, 'store.db'), { durability: 'normal' });
    await fill(store);
    const texts = Array.from({ length: MESSAGES }, (_, index) => textOf(wordyMessageAt(index)));
    let made = 0;
    const fresh = () => path.join(folder, `index-${made++}.db`);
    const ours = async (embedder?: Embedder | 'none') => {
      await using recall = await openRecall(store, { file: fresh(), ...(embedder && { embedder }) });
      const start = process.cpuUsage();
      await recall.catchUp();
      return MESSAGES / busySince(start);
    };
    const figures = await interleave(
      [
        { name: 'bare', round: () => MESSAGES / bareInsert(texts, fresh()) },
        { name: 'words', round: () => ours('none') },
        { name: 'both', round: () => ours() },
      ],
      ROUNDS,
    );
    const of = (name: string) => median(figures.get(name)!);
    return [
      speedRow('indexing words, reading the log included', of('words'), of('bare'), 0.8),
      speedRow('indexing words and meaning, the default', of('both'), of('bare'), 0.8),
      await appendRow(folder),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(store: Store): Promise<void> {
  for (let session = 0; session < MESSAGES / 500; session++) {
    const entries = Array.from({ length: 500 }, (_, n) => ({ body: wordyMessageAt(session * 500 + n) }));
    await store.create({ id: `s${session}` }, entries);
  }
}

/** Texts that lie ready, into a table that keeps nothing but the words, all at once: nobody can be faster. */
function bareInsert(texts: readonly string[], file: string): number {
  const db = new DatabaseSync(file);
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal;
    create virtual table t using fts5(text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`);
  const insert = db.prepare('insert into t (rowid, text) values (?, ?)');
  const start = process.cpuUsage();
  for (let row = 0; row < texts.length; row++) {
    if (row % BATCH === 0) db.exec('begin');
    insert.run(row + 1, texts[row]!);
    if ((row + 1) % BATCH === 0) db.exec('commit');
  }
  const taken = busySince(start);
  db.close();
  return taken;
}

/** Milliseconds of computing: what else the machine does, and waiting for its disk, are left out on both sides. */
function busySince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function textOf({ parts: [part] }: Message): string {
  const { text, output } = part as { text?: string; output?: { value: string } };
  return text ?? output!.value;
}

function speedRow(work: string, ours: number, bare: number, least?: number): Row {
  const value = `${format(ours * 1000)} messages/s / ${format(bare * 1000)} bare = ${(ours / bare).toFixed(2)} ×`;
  return { work, value, target: least ? `≥ ${least} ×` : '', ...(least && { met: ours / bare >= least }) };
}

/** Nothing happens at an append; the row is here so that nobody has to believe it. */
async function appendRow(folder: string): Promise<Row> {
  const open = (name: string) => openSqliteStore(path.join(folder, name), { durability: 'normal' });
  await using plain = await open('plain.db');
  await using indexed = await open('indexed.db');
  await using recall = await openRecall(indexed);
  for (const store of [plain, indexed]) await store.create({ id: 's' });
  await recall.catchUp();
  let at = 0;
  const append = async (store: Store) => {
    const start = process.cpuUsage();
    for (let n = 0; n < APPENDS; n++) await store.append('s', [{ body: messageAt(at++) }]);
    return busySince(start) / APPENDS;
  };
  const figures = new Map<Store, number[]>([
    [plain, []],
    [indexed, []],
  ]);
  for (let round = 0; round < ROUNDS_OF_APPENDS; round++) {
    // Whoever comes second finds the machine as the first one left it: they take turns in that, too.
    for (const store of round % 2 ? [indexed, plain] : [plain, indexed])
      figures.get(store)!.push(await append(store));
  }
  const [without, with_] = [lowerQuartile(figures.get(plain)!), lowerQuartile(figures.get(indexed)!)];
  return {
    work: 'append one message with an index open',
    value: `${format(with_)} ms / ${format(without)} ms = ${(with_ / without).toFixed(2)} ×`,
    target: '≤ 1.05 ×',
    met: with_ / without <= 1.05,
  };
}
