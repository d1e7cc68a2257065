import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import type { FormatName } from '../formats.ts';
import { type Fields, parseObject, recoverLine } from '../source/recover-line.ts';
import { claudeCodeShape } from './shapes/claude-code.ts';
import { codexShape } from './shapes/codex.ts';
import { piShape } from './shapes/pi.ts';

/** The part of a record in the conversation. */
export type RecordKind =
  /** The session itself and what it is set to: stays. */
  | 'header'
  /** A person's message: a turn begins. */
  | 'question'
  | 'answer'
  | 'result'
  /** Without an author, or by the program: belongs to its turn. */
  | 'beside'
  | 'compaction'
  /** Everything else, known or not: stays. */
  | 'other';

/** How the summary is put into the file: as the program's own kind of compaction, or as two ordinary messages. */
export type SummaryStyle = 'own' | 'pair';

export interface SummaryPlace {
  readonly text: string;
  readonly style: SummaryStyle;
  /** Tokens of what it stands for. */
  readonly tokensBefore: number;
  readonly timestamp: string;
  /** In trees: what its last record has to be called, so that what follows can stay as it is. */
  readonly name: string | undefined;
  /** In trees: what it follows. */
  readonly after: string | null;
  /** The first record behind it: its name, and how many records stand before it in the new file. */
  readonly next: { readonly name: string | undefined; readonly index: number };
  /** A record of the same file, for what all of them have. */
  readonly like: Fields;
}

/** What a format is like, as far as shortening it goes. */
export interface Shape {
  kindOf(record: Fields): RecordKind;
  /** In trees; otherwise records simply follow each other. */
  nameOf(record: Fields): string | undefined;
  parentOf(record: Fields): string | null | undefined;
  /** How many questions this record takes back. */
  takesBack(record: Fields): number;
  /** The oldest record that a compaction leaves in sight, if that stands before it. */
  keptBy(compaction: Fields): { readonly name?: string; readonly index?: number } | undefined;
  summaryRecords(place: SummaryPlace): Fields[];
  /** The record of a tool result with a note in the place of its output; `undefined` if it has none. */
  elide(record: Fields, note: string): Fields | undefined;
  /** The ids of the tool calls and of the tool results in a record. */
  callsIn(record: Fields): { readonly calls: readonly string[]; readonly results: readonly string[] };
  /** In trees: another name, always the same one for a name. */
  otherName?(name: string): string;
  /** The record once more, under a name and behind another record. Without it a record can be repeated as it is. */
  repeat?(record: Fields, place: { readonly name: string; readonly after: string }): Fields;
  /** Stands where a record was that others follow, and says nothing. */
  placeholder?(name: string, after: string | null, timestamp: string): Fields;
  /** The text of a line whose numbers have changed because records before it are gone. */
  renumber?(line: string, gone: (index: number) => number): string;
}

const SHAPES: Partial<Readonly<Record<FormatName, Shape>>> = {
  pi: piShape,
  'claude-code': claudeCodeShape,
  codex: codexShape,
};

export const SHORTENABLE = Object.keys(SHAPES) as readonly FormatName[];

export function shapeOf(format: FormatName): Shape | undefined {
  return SHAPES[format];
}

/** A process that has a file open for writing. */
interface Writer {
  readonly pid: number;
  readonly name: string;
}

/**
 * A process that has the file open for writing would go on writing into the old one after it is replaced. Found where the
 * system shows it (Linux), among the processes of the same user.
 */
export async function findWriter(file: string): Promise<Writer | undefined> {
  const target = await realpath(file);
  const pids = (await list('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  for (const pid of pids) {
    for (const fd of await list(`/proc/${pid}/fd`)) {
      if ((await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')) !== target) continue;
      const info = await readFile(`/proc/${pid}/fdinfo/${fd}`, 'utf8').catch(() => '');
      const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? '0', 8);
      if ((flags & 3) === 0) continue;
      const name = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim();
      return { pid: Number(pid), name };
    }
  }
  return undefined;
}

function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** A line as it lies in the file. */
export interface FileLine {
  /** With its line break, if it has one. */
  readonly bytes: Buffer;
  /** The text of the line: usually one record, several where they are glued, none where it cannot be read. */
  readonly records: readonly Fields[];
}

/** The file, line by line. Together the bytes of the lines are the file again. */
export function splitFile(bytes: Buffer): FileLine[] {
  const lines: FileLine[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const to = end < 0 ? bytes.length : end + 1;
    const line = bytes.subarray(from, to);
    lines.push({ bytes: line, records: recordsIn(line.toString('utf8')) });
    from = to;
  }
  return lines;
}

/** The records on a line: one, several where they are glued, none where nothing can be read. */
function recordsIn(line: string): readonly Fields[] {
  if (line.trim() === '') return [];
  const value = parseObject(line);
  if (value) return [value];
  return recoverLine(line, () => true).pieces.flatMap((piece) => (piece.value ? [piece.value] : []));
}
