import { readFile, realpath } from 'node:fs/promises';
import type { Archived, Original } from '../archive/index.ts';
import type { Draft, Summariser } from '../compaction/index.ts';
import { ThroughlineError } from '../errors.ts';
import { renderSummary } from '../summary/index.ts';
import { detectFormat, type FormatName, openSource } from '../transcripts/index.ts';
import { type Analysed, analyseFile, type FileAnalysis } from './analyse-file.ts';
import { splitFile } from './file-lines.ts';
import { findWriter } from './find-writer.ts';
import { holdFile } from './hold-file.ts';
import { removeDrafts, replaceFile } from './replace-file.ts';
import { rewriteFile } from './rewrite-file.ts';
import { DEFAULTS, LEAST_OLD_TURNS, type ShortenSettings } from './settings.ts';
import { SHORTENABLE, type Shape, type SummaryStyle, shapeOf } from './shape.ts';
import { readOldTurns, summariseOld } from './summarise-old.ts';

export type ShortenStep = 'read' | 'summarised' | 'archived' | 'drafted' | 'replaced';

export interface CompactFileOptions extends Partial<ShortenSettings> {
  /** Keeps the original. Nothing is rewritten before it has returned. */
  readonly archive: (original: Original) => Promise<Archived>;
  readonly format?: FormatName;
  /** Asked first; the digest does it otherwise. */
  readonly summariser?: Summariser;
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
  readonly reason?: 'disabled' | 'short' | 'few-turns' | 'no-gain';
  readonly linesAfter: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly summary?: string;
  readonly by?: Draft['by'];
  /** What was tried before and why it was not used. */
  readonly failures?: Draft['failures'];
  readonly archived?: Archived;
}

/** What a file holds and whether it would be shortened; nothing is changed. */
export async function inspectFile(
  file: string,
  { format, ...options }: Partial<ShortenSettings> & { format?: FormatName } = {},
): Promise<FileCompaction> {
  const settings = { ...DEFAULTS, ...options };
  const { bytes, analysed, name } = await readWhole(file, format, settings);
  const reason = whyNot(analysed.analysis, settings);
  return left(file, name, { bytes, analysed, ...(reason && { reason }) });
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
    style = 'own',
    evenIfOpen = false,
    onStep,
    signal,
    ...options
  }: CompactFileOptions,
): Promise<FileCompaction> {
  const settings = { ...DEFAULTS, ...options };
  // A link stays one: what it leads to is replaced.
  const file = await realpath(given);
  await using _held = await holdFile(file);
  await removeDrafts(file);
  const { bytes, lines, analysed, name, shape } = await readWhole(file, format, settings);
  onStep?.('read');
  const reason = whyNot(analysed.analysis, settings);
  if (reason) return left(given, name, { bytes, analysed, reason });
  if (!evenIfOpen) await refuseOpen(file);
  const old = await readOldTurns(lines, analysed, name);
  const draft = await summariseOld(old, { ...(summariser && { summariser }), ...(signal && { signal }) });
  if (!draft) return left(given, name, { bytes, analysed, reason: 'no-gain' });
  onStep?.('summarised');
  const summary = renderSummary(draft.summary);
  const content = rewriteFile(lines, analysed, { shape, summary, style, tokensBefore: old.tokens });
  if (content.length >= bytes.length) return left(given, name, { bytes, analysed, reason: 'no-gain' });
  const archived = await archive({ name: file.split(/[\\/]/).at(-1)!, kind: 'file', bytes });
  onStep?.('archived');
  const { arrived } = await replaceFile(file, { old: bytes, content, ...(onStep && { onStep }) });
  return {
    file: given,
    format: name,
    analysis: analysed.analysis,
    outcome: 'shortened',
    linesAfter: splitFile(content).length,
    bytesBefore: bytes.length,
    bytesAfter: content.length + arrived,
    summary,
    by: draft.by,
    failures: draft.failures,
    archived,
  };
}

async function readWhole(
  file: string,
  format: FormatName | undefined,
  { keepTurns }: ShortenSettings,
): Promise<{
  bytes: Buffer;
  lines: ReturnType<typeof splitFile>;
  analysed: Analysed;
  name: FormatName;
  shape: Shape;
}> {
  const name = format ?? (await detectFormat(await openSource(file)))?.name;
  const shape = name && shapeOf(name);
  if (!name || !shape)
    throw new ThroughlineError(
      'transcript-unknown',
      `${file} is no transcript that can be shortened; those of ${SHORTENABLE.join(', ')} can.`,
      { details: { file } },
    );
  const bytes = await readFile(file);
  const lines = splitFile(bytes);
  return { bytes, lines, analysed: analyseFile(lines, shape, { keepTurns }), name, shape };
}

function whyNot(
  { lines, tokens, oldTurns }: FileAnalysis,
  { enabled, maxLines, maxTokens = Number.POSITIVE_INFINITY }: ShortenSettings,
): FileCompaction['reason'] {
  if (!enabled) return 'disabled';
  if (lines <= maxLines && tokens <= maxTokens) return 'short';
  return oldTurns < LEAST_OLD_TURNS ? 'few-turns' : undefined;
}

function left(
  file: string,
  format: FormatName,
  {
    bytes,
    analysed: { analysis },
    reason,
  }: { bytes: Buffer; analysed: Analysed; reason?: FileCompaction['reason'] },
): FileCompaction {
  const size = { linesAfter: analysis.lines, bytesBefore: bytes.length, bytesAfter: bytes.length };
  return { file, format, analysis, outcome: 'left', ...(reason && { reason }), ...size };
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
