import { type Draft, type Summariser, summariseRange } from '../compaction/index.ts';
import { isThroughlineError } from '../errors.ts';
import { type Entry, emptySummary, type Message } from '../record/index.ts';
import { readFrontier } from '../session/index.ts';
import { createMemoryStore, wholeBody } from '../store/index.ts';
import { readLooseSummary, readSyntheticPair } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { type FormatName, formatNamed, importSource, textSource } from '../transcripts/index.ts';
import type { Analysed } from './analyse-file.ts';
import type { FileLine } from './file-lines.ts';

export interface OldTurns {
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
      entries.push(body.kind === 'message' ? earlierSummary({ ...entry, body }) : { ...entry, body });
      tokens += entry.tokens;
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
      covers: { from: entry.seq, to: entry.seq },
      children: [],
      summary: readLooseSummary(text, { entry: entry.id }) ?? emptySummary(text),
      tokensBefore: entry.tokens,
      tokensAfter: countText(text),
      by: { kind: 'import' },
      retention: 0,
    },
  };
}

/** About a thousand words at most, and always far less than what it stands for. */
const MOST_TOKENS = 2_000;

/** A summary of the old turns; none if nothing that is shorter would say enough. */
export async function summariseOld(
  { entries, tokens }: OldTurns,
  options: { summariser?: Summariser; signal?: AbortSignal },
): Promise<Draft | undefined> {
  const maxTokens = Math.max(40, Math.min(MOST_TOKENS, Math.floor(tokens * 0.4)));
  try {
    return await summariseRange({ entries, maxTokens, tokensBefore: tokens }, options);
  } catch (error) {
    if (isThroughlineError(error, 'summary-rejected')) return undefined;
    throw error;
  }
}
