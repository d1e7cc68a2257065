import type { Fields, FormatName } from '../transcripts/index.ts';
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
