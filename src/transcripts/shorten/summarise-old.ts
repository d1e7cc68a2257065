import {
  partForeign,
  type RangeDraft,
  type SummariseOptions,
  summariseRange,
} from '../../compaction/index.ts';
import { isThroughlineError } from '../../errors.ts';
import { type Entry, emptySummary, type Message } from '../../record/index.ts';
import { readFrontier } from '../../session/index.ts';
import { createMemoryStore, wholeBody } from '../../store/index.ts';
import { readSyntheticPair, writeSyntheticPair } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';
import { type FormatName, formatNamed } from '../formats.ts';
import { importSource } from '../import/import-files.ts';
import { textSource } from '../source/open-source.ts';
import type { Analysed } from './analyse-file.ts';
import type { FileLine } from './shape.ts';

interface OldTurns {
  readonly entries: readonly Entry[];
  readonly tokens: number;
}

/** What the old turns say to a model today: their messages, and the summaries that stand for still older ones. */
export async function readOldTurns(
  lines: readonly FileLine[],
  { places, cut }: Analysed,
  format: FormatName,
): Promise<OldTurns> {
  const wanted = new Set(places.filter(({ line, onPath }) => line < cut && onPath).map(({ line }) => line));
  const text = Buffer.concat(lines.filter((_, at) => wanted.has(at)).map(({ bytes }) => bytes));
  const store = createMemoryStore();
  const reports = await importSource(store, textSource(text), {
    format: formatNamed(format),
    file: 'old turns',
  });
  const entries: Entry[] = [];
  let tokens = 0;
  for (const { id } of reports.slice(0, 1)) {
    for (const entry of await readFrontier(store, (await store.session(id))!)) {
      const body = await wholeBody(entry.body, (hash) => store.blob(hash));
      tokens += entry.tokens;
      if (body.kind === 'message' && isReply(body)) continue;
      entries.push(body.kind === 'message' ? earlierSummary({ ...entry, body }) : { ...entry, body });
    }
  }
  return { entries, tokens };
}

/** Two messages that stand for an earlier summary are one: it is merged, not summarised as something a person said. */
function earlierSummary(entry: Entry & { body: Message }): Entry {
  const [part] = entry.body.parts;
  const text = typeof part?.text === 'string' ? readSyntheticPair(part.text) : undefined;
  if (entry.body.role !== 'user' || text === undefined) return entry;
  return {
    ...entry,
    body: {
      kind: 'compaction',
      level: 1,
      // The messages that it stands for are not here; they came before it.
      covers: { from: 1, to: Math.max(1, entry.seq - 1) },
      children: [],
      // Read like one of the program's own: lists of ours are found in it, and what another model wrote has its own room.
      summary: emptySummary(text),
      tokensBefore: entry.tokens,
      tokensAfter: countText(text),
      by: { kind: 'import' },
      retention: 0,
    },
  };
}

/** The answer of the pair says nothing. */
function isReply({ role, parts: [part] }: Message): boolean {
  return role === 'assistant' && part?.text === writeSyntheticPair('').assistant;
}

/** About a thousand words, and always far less than what it stands for. */
const USUAL_TOKENS = 2_000;
/** A few turns may be settled in every line: so much they may say however little it saves. */
const LEAST_TOKENS = 600;
/** With summaries that are merged into it. */
const MOST_TOKENS = 6_000;
const SHARE = 0.4;
/** Of an earlier summary of ours: it says little that can be left out. */
const SHARE_OF_SUMMARY = 0.6;
/** Of everything that it stands for, summaries included. */
const MOST_OF_OLD = 0.75;

/** A summary of the old turns; none if nothing that is shorter would say enough. */
export async function summariseOld(
  { entries, tokens }: OldTurns,
  options: Pick<SummariseOptions, 'summariser' | 'signal' | 'onUsage'>,
): Promise<RangeDraft | undefined> {
  const maxTokens = Math.max(40, roomFor(entries, tokens));
  try {
    return await summariseRange({ entries, maxTokens, tokensBefore: tokens }, options);
  } catch (error) {
    if (isThroughlineError(error, 'summary-rejected')) return undefined;
    throw error;
  }
}

/**
 * A summary of another program's model has its own room beside this. Most of one of ours has its own too, so that new lines do
 * not push out old ones, and its size still comes to a rest.
 */
function roomFor(given: readonly Entry[], tokensBefore: number): number {
  const { entries, foreignTokens } = partForeign(given);
  const tokens = tokensBefore - foreignTokens;
  const ours = entries
    .filter(({ body }) => body.kind === 'compaction')
    .reduce((sum, entry) => sum + entry.tokens, 0);
  const said = Math.min(USUAL_TOKENS, Math.floor(tokens * SHARE));
  const merged = Math.max(LEAST_TOKENS, ours, Math.floor(ours * SHARE_OF_SUMMARY) + said);
  return Math.min(MOST_TOKENS, Math.floor(tokens * MOST_OF_OLD), merged);
}
