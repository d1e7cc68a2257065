import { countText } from '../../tokens/index.ts';
import { codexLine } from '../formats/codex/line-kind.ts';
import type { Fields } from '../source/recover-line.ts';
import type { FileLine, RecordKind, Shape } from './shape.ts';

/** The content of a file, in numbers. */
export interface FileAnalysis {
  readonly lines: number;
  readonly messages: number;
  readonly user: number;
  readonly assistant: number;
  readonly toolResults: number;
  readonly tokens: number;
  readonly oldTurns: number;
  readonly recentTurns: number;
  readonly headerLines: number;
  /** Lines that are neither: kept, known or not. */
  readonly otherLines: number;
  readonly compactions: number;
}

/** A record with what it is and where. */
export interface FilePlace {
  readonly record: Fields;
  readonly kind: RecordKind;
  /** Which line it is on. */
  readonly line: number;
  /** Counts records from 0. */
  readonly index: number;
  /** Whether the conversation that one would go on with leads over it. */
  readonly onPath: boolean;
}

export interface Analysed {
  readonly analysis: FileAnalysis;
  readonly places: readonly FilePlace[];
  /** The lines on which the turns begin that were not taken back. */
  readonly turns: readonly number[];
  /** The line that the recent turns begin on; everything before it is old. */
  readonly cut: number;
}

/** Reads a file and where its recent turns begin. */
export function analyseFile(
  lines: readonly FileLine[],
  shape: Shape,
  { keepTurns }: { keepTurns: number },
): Analysed {
  const places = findPlaces(lines, shape);
  const starts = turnStarts(places, shape);
  const first = keepTurns === 0 ? lines.length : starts[Math.max(0, starts.length - keepTurns)];
  const cut = beforeWhatIsKept(places, shape, starts, first);
  const old = starts.filter((start) => start < cut).length;
  const count = (...kinds: RecordKind[]) => places.filter(({ kind }) => kinds.includes(kind)).length;
  const user = count('question');
  const assistant = count('answer');
  const toolResults = count('result');
  return {
    places,
    turns: starts,
    cut,
    analysis: {
      lines: lines.length,
      messages: user + assistant + toolResults,
      user,
      assistant,
      toolResults,
      tokens: tokensOfLine(places),
      oldTurns: old,
      recentTurns: starts.length - old,
      headerLines: count('header'),
      otherLines: lines.filter(({ records }) => records.length === 0).length + count('other'),
      compactions: count('compaction'),
    },
  };
}

function findPlaces(lines: readonly FileLine[], shape: Shape): FilePlace[] {
  const all = lines.flatMap(({ records }, line) => records.map((record) => ({ record, line })));
  const byName = new Map<string, Fields>();
  let leaf: Fields | undefined;
  for (const { record } of all) {
    const name = shape.nameOf(record);
    if (name === undefined || byName.has(name)) continue;
    byName.set(name, record);
    if (shape.kindOf(record) !== 'other' || shape.placeholder) leaf = record;
  }
  const path = new Set<Fields>();
  for (let at = leaf; at && !path.has(at); ) {
    path.add(at);
    const parent = shape.parentOf(at);
    at = typeof parent === 'string' ? byName.get(parent) : undefined;
  }
  return all.map(({ record, line }, index) => {
    const kind = shape.kindOf(record);
    const onPath = path.size === 0 || shape.nameOf(record) === undefined || path.has(record);
    return { record, line, index, kind, onPath };
  });
}

/** The lines on which the turns begin that still count. */
function turnStarts(places: readonly FilePlace[], shape: Shape): number[] {
  const starts: number[] = [];
  for (const { record, kind, line, onPath } of places) {
    const back = shape.takesBack(record);
    if (back > 0) starts.splice(Math.max(0, starts.length - back));
    else if (kind === 'question' && onPath) starts.push(line);
  }
  return starts;
}

/** A compaction among the recent turns may keep older ones in sight: those are needed where they are. */
function beforeWhatIsKept(
  places: readonly FilePlace[],
  shape: Shape,
  starts: readonly number[],
  wanted: number | undefined,
): number {
  if (wanted === undefined) return 0;
  const compactions = places.filter(({ kind, onPath }) => kind === 'compaction' && onPath);
  let cut = wanted;
  // Newest first: what it keeps may hold another one, which is recent then as well.
  for (const { record, line } of compactions.reverse()) {
    const kept = line >= cut ? shape.keptBy(record) : undefined;
    const first =
      kept &&
      places.find(({ record: other, index }) =>
        kept.name === undefined ? index === kept.index : shape.nameOf(other) === kept.name,
      );
    if (first && first.line < cut) cut = starts.findLast((start) => start <= first.line) ?? 0;
  }
  return cut;
}

const SPOKEN: readonly RecordKind[] = ['question', 'answer', 'result', 'compaction', 'beside'];

/** Where in a record words are. Everything else in it is for the program: ids, signatures, prices, pictures. */
const SAID = ['content', 'text', 'thinking', 'summary', 'message', 'command', 'output'] as const;
/** What a tool was asked is said as it stands, names and all. */
const ASKED = ['arguments', 'input'] as const;

/** Messages and requests, not names and signatures. */
export function tokensOfLine(places: readonly FilePlace[]): number {
  const texts: string[] = [];
  for (const { kind, record } of places) if (SPOKEN.includes(kind)) collect(saidIn(record, kind), texts);
  return texts.reduce((sum, text) => sum + countText(text), 0);
}

/** The message in a record. Events of Codex say what its items say, for people. */
function saidIn(record: Fields, kind: RecordKind): unknown {
  if (record.message !== undefined) return record.message;
  if (!('payload' in record)) return record;
  return kind === 'beside' && codexLine(record).kind !== 'item' ? undefined : record.payload;
}

function collect(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, texts);
  else if (typeof value === 'object' && value !== null) {
    const fields = value as Fields;
    for (const name of SAID) collect(fields[name], texts);
    for (const name of ASKED) {
      const asked = fields[name];
      if (asked === undefined) continue;
      texts.push(typeof asked === 'string' ? asked : JSON.stringify(asked));
      if (typeof fields.name === 'string') texts.push(fields.name);
    }
  }
}
