import { z } from 'zod';
import { isThroughlineError, type ThroughlineError } from '../errors.ts';
import { generate, isCutShort, type OpenedModel } from '../models/index.ts';
import { type Entry, emptySummary, type Summary, type SummaryLine } from '../record/index.ts';
import { foldCheckpoint, readLooseSummary } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { hasWords } from './has-words.ts';
import type { Summarised, SummariseRequest, SummariserOptions } from './summariser.ts';
import { INSTRUCTIONS, markdownPrompt, preamble, structuredPrompt } from './summary-prompt.ts';
import { transcriptText } from './transcript-text.ts';
import { refuseUnusable, rejected } from './verify-summary.ts';

/** Lines as a model writes them: the text, and the numbers of the entries it came from. */
const Line = z.object({
  text: z.string(),
  entries: z.array(z.number()).describe('numbers of the entries this comes from'),
  reason: z.string().nullish().describe('why, if it was decided or given up for a reason'),
  supersedes: z.string().nullish().describe('the earlier decision or value that it took the place of'),
});
const Written = z.object({
  background: z.string(),
  overview: z.string(),
  goal: z.array(Line).default([]),
  state: z.array(Line).default([]),
  standing: z.array(Line).default([]),
  dropped: z.array(Line).default([]),
  topics: z.array(Line),
  decisions: z.array(Line),
  completed: z.array(Line),
  pending: z.array(Line),
  blockers: z.array(Line),
  facts: z.array(Line),
});
type Written = z.infer<typeof Written>;

/** Room for the frame of a transcript: our instructions, the question, and the schema of the answer. */
const PROMPT_TOKENS = 1_200;
/** The least of a transcript that is read at once: with less, a summary is no shorter than its source. */
const LEAST_ROOM = 300;
/** Pieces may say a little more than their share: together they repeat each other. */
const PIECE_SHARE = 1.5;
const LEAST_PIECE = 200;

/** The largest answer to ask for. */
export interface AnswerLimits extends SummariserOptions {
  /** The most tokens of it. */
  readonly output: number;
  readonly timeoutMs: number;
}

/** A summary that is being written: how much is read at once, and the pieces that are there. */
interface Begun {
  readonly room: number;
  readonly pieces: Summarised[];
}

/** Writes summaries of ranges that go to the model as data, in pieces that fit its window. */
export function createPieceWriter(
  model: OpenedModel,
): (
  given: SummariseRequest,
  asked: { request: SummariseRequest; words: number; scale: number },
  how: AnswerLimits,
) => Promise<Summary> {
  // Pieces that were written before another failed are not paid for again when the same is asked once more.
  const begun = new WeakMap<SummariseRequest, Begun>();
  return async (given, { request, words, scale }, how) => {
    const around = PROMPT_TOKENS + countText(preamble(request));
    const room = Math.floor(((model.limits.window - how.output) / scale - around) * 0.8);
    let state = begun.get(given) ?? { room: Math.max(LEAST_ROOM, room), pieces: [] };
    for (;;) {
      begun.set(given, state);
      try {
        await writePieces(model, { request, words, state }, how);
        break;
      } catch (error) {
        // Its tokens were counted too low: the rest goes in smaller pieces.
        if (!isThroughlineError(error, 'context-overflow') || state.room <= LEAST_ROOM) throw error;
        state = { room: Math.max(LEAST_ROOM, Math.floor(state.room / 2)), pieces: [] };
      }
    }
    begun.delete(given);
    return mergeSummaries(
      state.pieces.map(({ summary }) => summary),
      request,
    );
  };
}

async function writePieces(
  model: OpenedModel,
  { request, words, state: { room, pieces } }: { request: SummariseRequest; words: number; state: Begun },
  how: AnswerLimits,
): Promise<void> {
  const chunks = chunkEntries(request.entries, room);
  const maxTokens =
    chunks.length === 1 ? words : Math.max(LEAST_PIECE, Math.ceil((words * PIECE_SHARE) / chunks.length));
  for (const [index, chunk] of chunks.entries()) {
    // One that cannot be used ends it here: those behind it would be paid for in vain.
    pieces[index] ??= await writePiece(model, { ...request, maxTokens }, { ...how, chunk });
    // Of small talk there may be nothing to tell, but not twice from the start.
    if (index === 0 || pieces.some(({ summary }) => hasWords(summary))) continue;
    pieces.length = 0;
    throw rejected('it is empty');
  }
}

async function writePiece(
  model: OpenedModel,
  request: SummariseRequest,
  { chunk, output, timeoutMs, signal, answered }: { chunk: Chunk } & AnswerLimits,
): Promise<Summarised> {
  const ask = async (prompt: string, schema?: typeof Written) => {
    const answer = await generate({
      model,
      instructions: INSTRUCTIONS,
      messages: [{ role: 'user', content: prompt }],
      maxOutputTokens: output,
      timeoutMs,
      // The caller asks once more if need be.
      maxRetries: 0,
      signal,
      ...(schema && { schema }),
    });
    answered(answer.usage);
    return answer;
  };
  const { transcript, entries } = chunk;
  const structured = await ask(structuredPrompt(transcript, request), Written).catch((error: unknown) => {
    // Some models cannot write structured output and refuse the request; every other failure is one of the call itself.
    if (!isThroughlineError(error, 'model-refused') || isAboutAccount(error)) throw error;
    return undefined;
  });
  const piece = (summary: Summary, answer: { finishReason: string }): Summarised => {
    refuseUnusable({ summary, cutOff: isCutShort(answer) }, entries);
    return { summary, by: { kind: 'model' } };
  };
  if (structured?.object) return piece(toSummary(structured.object as Written, entries), structured);
  const text = structured?.text;
  const loose = text ? readLooseSummary(text) : undefined;
  if (structured && loose) return piece(loose, structured);
  const markdown = await ask(markdownPrompt(transcript, request));
  const read = readLooseSummary(markdown.text);
  if (!read) throw rejected(/\S/.test(markdown.text) ? 'it has no record in it' : 'it is empty');
  return piece(read, markdown);
}

/** A key that is not accepted is not accepted for another request either. */
export function isAboutAccount({ details }: ThroughlineError): boolean {
  return details.status === 401 || details.status === 402 || details.status === 403;
}

/** Numbers become ids; a number that is not in the transcript is dropped, the line stays. */
function toSummary(written: Written, entries: readonly Entry[]): Summary {
  const ids = new Map(entries.map(({ seq, id }) => [seq, id]));
  const lines = (list: Written['facts']): SummaryLine[] =>
    list
      .filter(({ text }) => text.trim())
      .map(({ text, entries: numbers, reason, supersedes }) => ({
        text: text.trim(),
        from: numbers.flatMap((seq) => ids.get(seq) ?? []),
        ...(reason?.trim() && { reason: reason.trim() }),
        ...(supersedes?.trim() && { supersedes: supersedes.trim() }),
      }));
  return {
    ...emptySummary(written.overview.trim()),
    background: written.background.trim() || 'Initial session.',
    goal: lines(written.goal),
    state: lines(written.state),
    standing: lines(written.standing),
    dropped: lines(written.dropped),
    topics: lines(written.topics),
    decisions: lines(written.decisions),
    completed: lines(written.completed),
    pending: lines(written.pending),
    blockers: lines(written.blockers),
    facts: lines(written.facts),
  };
}

/** Summaries of consecutive pieces as one: lists are folded in order, a task finished in a later piece is finished. */
function mergeSummaries(pieces: readonly Summary[], { before }: Pick<SummariseRequest, 'before'>): Summary {
  const [first, ...rest] = pieces;
  if (!first) return emptySummary();
  if (rest.length === 0) return first;
  const { completed, pending, decisions, blockers, facts } = foldCheckpoint(
    pieces.map((piece) => ({ ...piece, standing: undefined })),
  );
  return {
    ...first,
    background: before ? first.background : (first.background ?? 'Initial session.'),
    overview: pieces
      .map(({ overview }) => overview)
      .filter(Boolean)
      .join(' '),
    ...Object.fromEntries(
      (['goal', 'standing', 'dropped'] as const).flatMap((list) => {
        const lines = pieces.flatMap((piece) => piece[list] ?? []);
        return lines.length > 0 ? [[list, lines]] : [];
      }),
    ),
    ...(pieces.at(-1)!.state && { state: pieces.at(-1)!.state }),
    topics: pieces.flatMap(({ topics }) => topics),
    completed: [...completed],
    pending: [...pending],
    decisions: [...decisions],
    blockers: [...blockers],
    facts: [...facts],
  };
}

/** Entries that a model reads at once. */
interface Chunk {
  readonly entries: Entry[];
  /** As text, in no more tokens than there is room for. */
  readonly transcript: string;
}

/** How much of one entry is read, in characters, if there is room. */
const LONGEST = 24_000;

/** Whole entries in their order, as many at once as fit; one that is too long alone is cut to its start and end. */
function chunkEntries(entries: readonly Entry[], room: number): Chunk[] {
  const chunks: { entries: Entry[]; texts: string[] }[] = [];
  let left = 0;
  for (const entry of entries) {
    const text = textWithin(entry, room);
    const tokens = countText(text) + JOINT;
    if (tokens > left || chunks.length === 0) {
      chunks.push({ entries: [], texts: [] });
      left = room;
    }
    chunks.at(-1)!.entries.push(entry);
    chunks.at(-1)!.texts.push(text);
    left -= tokens;
  }
  return chunks.map(({ entries, texts }) => ({ entries, transcript: texts.join('\n\n') }));
}

/** Tokens between two entries. */
const JOINT = 2;

function textWithin(entry: Entry, room: number): string {
  for (let longest = Math.min(LONGEST, room * 4); ; longest = Math.floor(longest / 2)) {
    const text = transcriptText([entry], { longest });
    if (longest < 16 || countText(text) <= room / 2) return text;
  }
}
