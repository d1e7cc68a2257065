import type { LanguageModel } from 'ai';
import { z } from 'zod';
import { isThroughlineError, type ThroughlineError } from '../errors.ts';
import {
  describeModel,
  generate,
  type OpenedModel,
  type OpenModelOptions,
  openModel,
} from '../models/index.ts';
import { type Entry, emptySummary, type Summary, type SummaryLine } from '../record/index.ts';
import { readLooseSummary, renderSummary } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { type Chunk, chunkEntries } from './chunk-entries.ts';
import { fitSummary, WORDS } from './fit-summary.ts';
import { extractLedger } from './ledger/index.ts';
import { mergeSummaries } from './merge-summaries.ts';
import type { Summarised, SummariseRequest, Summariser, SummariserOptions } from './summariser.ts';
import {
  INSTRUCTIONS,
  markdownPrompt,
  PROMPT_VERSION,
  preamble,
  structuredPrompt,
} from './summary-prompt.ts';

/** Lines as a model writes them: the text, and the numbers of the entries it came from. */
const Line = z.object({
  text: z.string(),
  entries: z.array(z.number()).describe('numbers of the entries this comes from'),
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

/** Room for what is sent around a transcript: our instructions, what is asked for, and the schema of the answer. */
const PROMPT_TOKENS = 1_500;
const TIMEOUT_MS = 120_000;
/** Pieces may say a little more than their share: together they repeat each other. */
const PIECE_SHARE = 1.5;
const LEAST_PIECE = 200;

export interface ModelSummariserOptions extends OpenModelOptions {
  /** So long may one answer take. Two minutes unless given. */
  readonly timeoutMs?: number;
}

/**
 * A model as a summariser. The range goes to it in pieces that fit its own window, as data; structured output first,
 * and the marked markdown block from models that cannot. Files and the ledger come from rules, not from the model.
 *
 * A model of any kind: one that was opened, one of the AI SDK, or `provider:model`, which is opened when it is asked.
 */
export function createModelSummariser(
  given: OpenedModel | LanguageModel,
  { timeoutMs = TIMEOUT_MS, ...options }: ModelSummariserOptions = {},
): Summariser {
  if (typeof given !== 'string')
    return summariserOf('languageModel' in given ? given : describeModel(given), timeoutMs);
  let opening: Promise<Summariser> | undefined;
  const open = () => {
    opening ??= openModel(given, options).then((model) => summariserOf(model, timeoutMs));
    // A key may be there the next time.
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  return {
    name: given,
    timeoutMs,
    summarise: async (request, how) => (await open()).summarise(request, how),
  };
}

function summariserOf(model: OpenedModel, timeoutMs: number): Summariser {
  // What was written before a piece failed is not paid for again when the same is asked once more.
  const begun = new WeakMap<SummariseRequest, Summarised[]>();
  return {
    name: model.id,
    timeoutMs,
    async summarise(given, { signal, answered }) {
      const output = Math.min(model.limits.output, Math.max(1_024, given.maxTokens * 3));
      const request = withShortFocus(given, Math.floor(model.limits.window / 8));
      const around = PROMPT_TOKENS + countText(preamble(request));
      const room = Math.max(500, Math.floor((model.limits.window - output - around) * 0.8));
      const chunks = chunkEntries(request.entries, room);
      const found = extractLedger(request.entries);
      // As much as it may keep: a model that does what it is told is not thinned out afterwards.
      const share = found.files.length + found.ledger.length > 0 ? WORDS : 1;
      const words = Math.floor(request.maxTokens * share);
      const maxTokens =
        chunks.length === 1 ? words : Math.max(LEAST_PIECE, Math.ceil((words * PIECE_SHARE) / chunks.length));
      const pieces = begun.get(given) ?? [];
      begun.set(given, pieces);
      for (const [index, chunk] of chunks.entries()) {
        const how = { chunk, output, timeoutMs, signal, answered };
        pieces[index] ??= await writePiece(model, { ...request, maxTokens }, how);
      }
      begun.delete(given);
      const written = pieces.map(({ summary }) => summary);
      const merged = mergeSummaries(written, request);
      return {
        summary: fitSummary({ ...merged, ...found }, given.maxTokens),
        writtenTokens: countText(renderSummary(merged)),
        by: { kind: 'model', model: model.id, version: PROMPT_VERSION },
        cutOff: pieces.some((piece) => piece.cutOff),
      };
    },
  };
}

/** What somebody wants kept in mind must leave room for what it is about. */
function withShortFocus(request: SummariseRequest, maxTokens: number): SummariseRequest {
  let { instructions } = request;
  if (instructions === undefined) return request;
  while (countText(instructions) > maxTokens)
    instructions = `${instructions.slice(0, Math.floor(instructions.length * 0.8)).toWellFormed()} …`;
  return { ...request, instructions };
}

async function writePiece(
  model: OpenedModel,
  request: SummariseRequest,
  {
    chunk,
    output,
    timeoutMs,
    signal,
    answered,
  }: { chunk: Chunk; output: number; timeoutMs: number } & SummariserOptions,
): Promise<Summarised> {
  const ask = async (prompt: string, schema?: typeof Written) => {
    const answer = await generate({
      model,
      instructions: INSTRUCTIONS,
      messages: [{ role: 'user', content: prompt }],
      maxOutputTokens: output,
      timeoutMs,
      // Whoever wants the summary asks once more if need be.
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
  if (structured?.object) return piece(toSummary(structured.object as Written, entries), structured);
  const text = structured?.text;
  const loose = text ? readLooseSummary(text) : undefined;
  if (structured && loose) return piece(loose, structured);
  const markdown = await ask(markdownPrompt(transcript, request));
  return piece(readLooseSummary(markdown.text) ?? emptySummary(), markdown);
}

/** A key that is not accepted is not accepted for another request either. */
function isAboutAccount({ details }: ThroughlineError): boolean {
  return details.status === 401 || details.status === 402 || details.status === 403;
}

function piece(summary: Summary, { finishReason }: { finishReason: string }): Summarised {
  return { summary, cutOff: finishReason === 'length', by: { kind: 'model' } };
}

/** Numbers become ids; a number that is not in the transcript is dropped, the line stays. */
function toSummary(written: Written, entries: readonly Entry[]): Summary {
  const ids = new Map(entries.map(({ seq, id }) => [seq, id]));
  const lines = (list: Written['facts']): SummaryLine[] =>
    list
      .filter(({ text }) => text.trim())
      .map(({ text, entries: numbers }) => ({
        text: text.trim(),
        from: numbers.flatMap((seq) => ids.get(seq) ?? []),
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
