import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { formatNamed, importSource, openSource } from '../src/transcripts/index.ts';
import { insertBare, readRows } from './bare-rows.ts';
import { format, mediansOf, type Row } from './measure.ts';
import { LINES } from './transcript-lines.ts';

const NAMES = ['claude-code', 'pi', 'codex'] as const;
const SMALL = 24 * 2 ** 20;
const LARGE = 2 ** 30;
const ROUNDS = 9;
/** Rounds that are not counted: the first ones run code that is not compiled yet. */
const WARM_UP = 3;

/** Reading and importing files of other agents, against nothing but parsing their lines. */
export async function benchTranscripts(): Promise<Row[]> {
  return inFolder(async (folder) => {
    const rows: Row[] = [];
    for (const name of NAMES) rows.push(...(await speedRows(folder, name)));
    return rows;
  });
}

/** What a session of a gigabyte takes, in and out. */
export async function benchGigabyte(): Promise<Row[]> {
  return inFolder(huge);
}

async function inFolder(work: (folder: string) => Row[] | Promise<Row[]>): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function speedRows(folder: string, name: (typeof NAMES)[number]): Promise<Row[]> {
  const file = path.join(folder, `${name}.jsonl`);
  fill(file, name, SMALL);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const parseAll = () => lines.forEach((line) => void JSON.parse(line));
  const definition = formatNamed(name);
  const read = await definition.reader();
  const readAll = async () => {
    let count = 0;
    for await (const found of read(await openSource(file))) count += found.length;
    if (count < lines.length / 2) throw new Error(`bug: only ${count} of ${lines.length} lines`);
  };
  // Before the rows of a whole store lie in memory, which would have the garbage of reading collected more slowly.
  for (let round = 0; round < WARM_UP; round++) await readAll();
  const reading = await mediansOf({ parse: () => timed(parseAll), read: () => timed(readAll) }, ROUNDS);

  let stores = 0;
  const newFile = () => path.join(folder, `${name}-${stores++}.db`);
  const importInto = async (database: string) => {
    await using store = await openSqliteStore(database, { durability: 'normal' });
    await importSource(store, await openSource(file), { format: definition, file });
  };
  const sample = newFile();
  await importInto(sample);
  const rows = readRows(sample);
  const insertAll = async () => {
    parseAll();
    await insertBare(newFile(), rows);
  };
  const importing = await mediansOf(
    {
      parse: () => timed(parseAll),
      bare: () => timed(insertAll),
      import: () => timed(() => importInto(newFile())),
    },
    ROUNDS,
  );
  return [
    speedRow(`${name}: file to entries`, reading.read, reading.parse),
    speedRow(`${name}: file to entries in SQLite`, importing.import, importing.parse),
    {
      work: `… the limit: JSON.parse, then the same rows by a bare statement`,
      value: `${speed(importing.bare, importing.parse)}; the import reaches ${percent(importing.bare / importing.import)} of that`,
      target: '–',
    },
  ];
}

function speedRow(work: string, ms: number, parse: number): Row {
  return { work, value: speed(ms, parse), target: '≥ 40 %', met: parse / ms >= 0.4 };
}

function speed(ms: number, parse: number): string {
  const megabytes = (ms: number) => `${format(SMALL / 1e3 / ms)} MB/s`;
  return `${megabytes(ms)} = ${percent(parse / ms)} of JSON.parse (${megabytes(parse)})`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** In a process of its own, so that nothing else is in its memory. */
function huge(folder: string): Row[] {
  const file = path.join(folder, 'huge.jsonl');
  fill(file, 'claude-code', LARGE);
  const child = (what: string) => {
    const script = path.resolve('bench/transcripts-child.ts');
    const args = [script, what, file, path.join(folder, 'huge.db')];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as {
      rss: number;
      ms: number;
    };
  };
  return (['import', 'export'] as const).map((what) => {
    const { rss, ms } = child(what);
    const bytes = statSync(file).size;
    return {
      work: `${what} 1 GB: most memory`,
      value: `${format(rss)} MB (${format(bytes / 1e3 / ms)} MB/s)`,
      target: '≤ 200 MB',
      met: rss <= 200,
    };
  });
}

function fill(file: string, name: (typeof NAMES)[number], bytes: number): void {
  const handle = openSync(file, 'w');
  for (let turn = 0, written = 0; written < bytes; turn++)
    written += writeSync(handle, `${LINES[name](turn).join('\n')}\n`);
  closeSync(handle);
}

/** Computing time in milliseconds: what else the machine does hardly disturbs it, and waiting for the disk is not in it. */
async function timed(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
