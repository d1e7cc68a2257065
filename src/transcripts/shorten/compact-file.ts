import { readFile, realpath } from 'node:fs/promises';
import type { RangeDraft, Summariser } from '../../compaction/index.ts';
import { ThroughlineError } from '../../errors.ts';
import { addUsage, NO_USAGE, type Usage } from '../../record/index.ts';
import { renderSummary } from '../../summary/index.ts';
import type { Archived, Original } from '../archive/archive-original.ts';
import { detectFormat } from '../detect/detect-format.ts';
import type { FormatName } from '../formats.ts';
import { openSource } from '../source/open-source.ts';
import { type Analysed, analyseFile, type FileAnalysis, tokensOfLine } from './analyse-file.ts';
import { cutInsideTurn, type Elided, elideResults, type InsideTurn } from './cut-inside-turn.ts';
import { holdFile, removeDrafts, replaceFile } from './replace-file.ts';
import { type RewriteOptions, rewriteFile } from './rewrite-file.ts';
import { LEAST_OLD_TURNS, SHORTEN_DEFAULTS, type ShortenSettings } from './settings.ts';
import {
  type FileLine,
  findWriter,
  SHORTENABLE,
  type Shape,
  type SummaryStyle,
  shapeOf,
  splitFile,
} from './shape.ts';
import { readOldTurns, summariseOld } from './summarise-old.ts';
import { type FindOriginal, linesSince, withoutDigests } from './whole-file.ts';

export type ShortenStep = 'read' | 'summarised' | 'archived' | 'drafted' | 'replaced';

export interface CompactFileOptions extends Partial<ShortenSettings> {
  /** Keeps the original. Nothing is rewritten before it has returned. */
  readonly archive: (original: Original) => Promise<Archived>;
  readonly format?: FormatName;
  /** Writes the summary. If it fails the file is left alone; without one the digest writes a provisional summary. */
  readonly summariser?: Summariser;
  /** Lets the digest write the summary if the summariser fails. */
  readonly orDigest?: boolean;
  /** The archived original with this hash, to the byte: summaries of the digest are made again from it by the summariser. */
  readonly original?: FindOriginal;
  readonly style?: SummaryStyle;
  /** Also if some program has the file open. */
  readonly evenIfOpen?: boolean;
  readonly onStep?: (step: ShortenStep) => void;
  readonly signal?: AbortSignal;
}

/** What became of a file. */
export interface FileCompaction {
  readonly file: string;
  readonly format: FormatName;
  readonly analysis: FileAnalysis;
  readonly outcome: 'shortened' | 'left';
  /** Why it was left alone. */
  readonly reason?: 'disabled' | 'short' | 'few-turns' | 'no-gain' | 'model-failed';
  readonly linesAfter: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly summary?: string;
  readonly by?: RangeDraft['by'];
  /** Earlier attempts and why they were not used. */
  readonly failures?: RangeDraft['failures'];
  /** What the calls to the summariser used, also for a summary that was not used. */
  readonly usage?: Usage;
  readonly archived?: Archived;
  /** Tool results whose output was left out, where there were too few old turns to summarise. */
  readonly elided?: number;
  /** Steps of a long turn that were summarised; its request is behind the summary, whole. */
  readonly steps?: number;
  /** The summary takes the place of one by the digest, and was made from the archived original. */
  readonly remade?: true;
}

/** What a file holds and whether it would be shortened; nothing is changed. */
export async function inspectFile(
  file: string,
  { format, ...options }: Partial<ShortenSettings> & { format?: FormatName } = {},
): Promise<FileCompaction> {
  const settings = { ...SHORTEN_DEFAULTS, ...options };
  const read = await readWhole(file, format, settings);
  const reason = whyNot(read.analysed.analysis, settings);
  const isLong = reason === 'few-turns' && hasGrown(read, settings);
  const pays = isLong && (elide(read, settings) ?? inside(read, settings)) !== undefined;
  return left(file, read, pays ? undefined : reason);
}

/**
 * Shortens a transcript of another program where it lies: archive first, then a draft and a rename. A kill at any instant
 * leaves the old file or the new one, and the original in the archive before the new one is there.
 */
export async function compactFile(
  given: string,
  {
    archive,
    format,
    summariser,
    orDigest = false,
    original,
    style = 'own',
    evenIfOpen = false,
    onStep,
    signal,
    ...options
  }: CompactFileOptions,
): Promise<FileCompaction> {
  const settings = { ...SHORTEN_DEFAULTS, ...options };
  // A link stays one: what it leads to is replaced.
  const file = await realpath(given);
  await using _held = await holdFile(file);
  await removeDrafts(file);
  const read = await readWhole(file, format, settings);
  onStep?.('read');
  const again = summariser && original ? await withoutDigest(read, original, settings) : undefined;
  const reason = again ? undefined : whyNot(read.analysed.analysis, settings);
  const isLong = reason === 'few-turns' && hasGrown(read, settings);
  const elided = isLong ? elide(read, settings) : undefined;
  const cut = isLong && !elided ? inside(read, settings) : undefined;
  if (reason && !elided && !cut) return left(given, read, reason);
  if (!evenIfOpen) await refuseOpen(file);

  async function replace(content: Buffer, from: Whole): Promise<FileCompaction> {
    const archived = await archive({ name: file.split(/[\\/]/).at(-1)!, kind: 'file', bytes: from.bytes });
    onStep?.('archived');
    const { arrived } = await replaceFile(file, { old: read.bytes, content, ...(onStep && { onStep }) });
    return {
      file: given,
      format: read.name,
      analysis: from.analysed.analysis,
      outcome: 'shortened',
      linesAfter: splitFile(content).length,
      bytesBefore: from.bytes.length,
      bytesAfter: content.length + arrived,
      archived,
    };
  }

  if (elided) return { ...(await replace(elided.content, read)), elided: elided.results };
  const from = again ?? (cut ? { ...read, analysed: cut } : read);
  const { lines, analysed, name, shape } = from;
  const turn = 'request' in analysed ? analysed : undefined;
  const old = await readOldTurns(lines, analysed, name);
  let usage: Usage | undefined;
  const draft = await summariseOld(old, {
    ...(summariser && { summariser }),
    ...(signal && { signal }),
    onUsage(used) {
      usage = addUsage(usage ?? NO_USAGE, used);
    },
  });
  const spent = { ...(usage && { usage }) };
  if (!draft) return { ...left(given, read, 'no-gain'), ...spent };
  const byDigest = draft.by.kind === 'digest';
  if (summariser && byDigest && (!orDigest || again))
    return { ...left(given, read, 'model-failed'), failures: draft.failures, ...spent };
  onStep?.('summarised');
  const summary = renderSummary(draft.summary);
  const place: RewriteOptions = {
    shape,
    summary,
    style,
    tokensBefore: old.tokens,
    by: byDigest ? 'digest' : 'model',
    ...(turn && { request: turn.request.record }),
  };
  const content = rewriteFile(lines, analysed, place);
  if (content.length >= from.bytes.length) return { ...left(given, read, 'no-gain'), ...spent };
  return {
    ...(await replace(content, from)),
    summary,
    by: draft.by,
    failures: draft.failures,
    ...spent,
    ...(again && { remade: true }),
    ...(turn && { steps: turn.steps }),
  };
}

interface Whole {
  readonly bytes: Buffer;
  readonly lines: readonly FileLine[];
  readonly analysed: Analysed | InsideTurn;
  readonly name: FormatName;
  readonly shape: Shape;
}

async function readWhole(
  file: string,
  format: FormatName | undefined,
  { keepTurns }: ShortenSettings,
): Promise<Whole> {
  const name = format ?? (await detectFormat(await openSource(file)))?.name;
  const shape = name && shapeOf(name);
  if (!name || !shape)
    throw new ThroughlineError(
      'transcript-unknown',
      `${file} is no transcript that can be shortened; those of ${SHORTENABLE.join(', ')} can.`,
      { details: { file, shortenable: SHORTENABLE } },
    );
  const bytes = await readFile(file);
  const lines = splitFile(bytes);
  return { bytes, lines, analysed: analyseFile(lines, shape, { keepTurns }), name, shape };
}

/** The file as it would be without the summaries of the digest, if they can be made again. */
async function withoutDigest(
  { lines, name, shape }: Whole,
  original: FindOriginal,
  settings: ShortenSettings,
): Promise<Whole | undefined> {
  const { enabled, keepTurns } = settings;
  const bytes = enabled ? await withoutDigests(lines, original) : undefined;
  if (!bytes) return undefined;
  const whole = splitFile(bytes);
  const analysed = analyseFile(whole, shape, { keepTurns });
  const isOld = analysed.analysis.oldTurns >= LEAST_OLD_TURNS;
  const cut = isOld ? analysed : cutInsideTurn(analysed, shape, settings);
  return cut && { bytes, lines: whole, analysed: cut, name, shape };
}

/** Steps of a long turn count as turns do: so many results stay as they are. */
function elide({ lines, analysed, shape }: Whole, { keepTurns: keep }: ShortenSettings): Elided | undefined {
  return elideResults(lines, analysed, { shape, keep });
}

function inside({ analysed, shape }: Whole, settings: ShortenSettings): InsideTurn | undefined {
  return cutInsideTurn(analysed, shape, settings);
}

function whyNot(analysis: FileAnalysis, settings: ShortenSettings): FileCompaction['reason'] {
  if (!settings.enabled) return 'disabled';
  if (isShort(analysis, settings)) return 'short';
  return analysis.oldTurns < LEAST_OLD_TURNS ? 'few-turns' : undefined;
}

function isShort(
  { lines, tokens }: Pick<FileAnalysis, 'lines' | 'tokens'>,
  { maxLines, maxTokens = Number.POSITIVE_INFINITY }: ShortenSettings,
): boolean {
  return lines <= maxLines && tokens <= maxTokens;
}

/** What an earlier shortening left is not taken apart by the next run: as much has to be new as makes a file long. */
function hasGrown({ lines, analysed: { places } }: Whole, settings: ShortenSettings): boolean {
  const since = linesSince(lines);
  const tokens = tokensOfLine(places.filter(({ line }) => line >= lines.length - since));
  return !isShort({ lines: since, tokens }, settings);
}

function left(
  file: string,
  { bytes, name, analysed: { analysis } }: Whole,
  reason: FileCompaction['reason'],
): FileCompaction {
  const size = { linesAfter: analysis.lines, bytesBefore: bytes.length, bytesAfter: bytes.length };
  return { file, format: name, analysis, outcome: 'left', ...(reason && { reason }), ...size };
}

async function refuseOpen(file: string): Promise<void> {
  const writer = await findWriter(file);
  if (!writer) return;
  throw new ThroughlineError(
    'transcript-busy',
    `${file} is open in ${writer.name} (process ${writer.pid}), which would go on writing into the old file. End it first.`,
    { details: { file, pid: writer.pid } },
  );
}
