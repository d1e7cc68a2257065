import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openRecall, type Recall } from '../src/recall/index.ts';
import { median, medianTime, type Row } from './measure.ts';
import { wordAt } from './recall-messages.ts';
import { syntheticStore } from './recall-synthetic-store.ts';

const MESSAGES = 1_000_000;
const ROUNDS = 7;

interface Shape {
  readonly name: string;
  readonly query: string;
  /** The same question to the bare full-text table, as cheaply as it can be asked for twenty hits. */
  readonly match: string;
  readonly order: 'rank' | 'rowid desc';
}

const SHAPES: readonly Shape[] = [
  { name: 'a rare word', query: wordAt(20_000), match: wordAt(20_000), order: 'rank' },
  { name: 'a medium word', query: wordAt(2_500), match: wordAt(2_500), order: 'rank' },
  { name: 'a common word', query: wordAt(700), match: wordAt(700), order: 'rank' },
  { name: 'a word in nearly every message', query: 'the', match: 'the', order: 'rowid desc' },
  { name: 'a name', query: 'message777777', match: 'message777777', order: 'rank' },
  {
    name: 'two words',
    query: `${wordAt(2_500)} ${wordAt(3_000)}`,
    match: `${wordAt(2_500)} OR ${wordAt(3_000)}`,
    order: 'rank',
  },
  {
    name: 'a question of six words',
    query: `what did the ${wordAt(300)} ${wordAt(2_500)} say about ${wordAt(3_000)} and the ${wordAt(6_000)}`,
    match: [2_500, 3_000, 6_000].map(wordAt).join(' OR '),
    order: 'rank',
  },
  { name: 'a frequent phrase', query: '"of the"', match: '"of the"', order: 'rowid desc' },
  {
    name: 'a rare phrase',
    query: `"${wordAt(300)} ${wordAt(700)}"`,
    match: `"${wordAt(300)} ${wordAt(700)}"`,
    order: 'rank',
  },
  { name: 'a path', query: `src/${wordAt(700)}/log.ts`, match: `"src ${wordAt(700)} log ts"`, order: 'rank' },
  { name: 'a prefix', query: 'inter*', match: 'inter*', order: 'rowid desc' },
];

/** A million messages, made up as they are read. Takes minutes, so it runs only when it is asked for by name. */
export async function benchRecallMillion(messages: number = MESSAGES): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-bench-'));
  try {
    const file = path.join(folder, 'index.db');
    await using recall = await openRecall(syntheticStore(messages), { file });
    const start = performance.now();
    await recall.catchUp();
    const seconds = (performance.now() - start) / 1000;
    const bytes = (await recall.stats()).bytes;
    return [
      {
        work: `indexing ${messages.toLocaleString('en')} messages, words and meaning`,
        value: `${seconds.toFixed(0)} s, ${(messages / seconds).toFixed(0)} messages/s, ${(bytes / 2 ** 20).toFixed(0)} MB`,
        target: '',
      },
      ...(await searchRows(recall, file)),
      ...(await meaningRows(recall)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function searchRows(recall: Recall, file: string): Promise<Row[]> {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows: Row[] = [];
  for (const { name, query, match, order } of SHAPES) {
    const bare = db.prepare(`select rowid from words where words match ? order by ${order} limit 20`);
    const ours: number[] = [];
    const raw: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      raw.push(await medianTime(3, () => bare.all(match)));
      ours.push(await medianTime(3, () => recall.search(query, { by: 'words' })));
    }
    rows.push({
      work: `search for ${name}, p50 warm`,
      value: `${median(ours).toFixed(1)} ms; the bare query ${median(raw).toFixed(1)} ms`,
      target: '< 50 ms',
      met: median(ours) < 50,
    });
  }
  db.close();
  return rows;
}

async function meaningRows(recall: Recall): Promise<Row[]> {
  const query = 'when did they repair the old wooden bridge';
  const start = performance.now();
  await recall.search(query);
  const first = performance.now() - start;
  const again = await medianTime(ROUNDS, () => recall.search(query));
  return [
    {
      work: 'a question by words and meaning, first time (loads the vectors)',
      value: `${first.toFixed(0)} ms`,
      target: '',
    },
    { work: '… p50 warm', value: `${again.toFixed(1)} ms`, target: '' },
  ];
}
