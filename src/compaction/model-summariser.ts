import { z } from 'zod';
import { isThroughlineError } from '../errors.ts';
import { generate, type OpenedModel } from '../models/index.ts';
import {
  addUsage,
  type Entry,
  emptySummary,
  type Summary,
  type SummaryLine,
  type Usage,
} from '../record/index.ts';
import { readLooseSummary } from '../summary/index.ts';
import { countText } from '../tokens/index.ts';
import { extractLedger } from './ledger/index.ts';
import { mergeSummaries } from './merge-summaries.ts';
import type { Summarised, SummariseRequest, Summariser } from './summariser.ts';
import { INSTRUCTIONS, markdownPrompt, PROMPT_VERSION, structuredPrompt } from './summary-prompt.ts';
import { transcriptText } from './transcript-text.ts';

/** Lines as a model writes them: the text, and the numbers of the entries it came from. */
const Line = z.object({
  text: z.string(),
  entries: z.array(z.number()).describe('numbers of the entries this comes from'),
});
const Written = z.object({
  background: z.string(),
  overview: z.string(),
  topics: z.array(Line),
  decisions: z.array(Line),
  completed: z.array(Line),
  pending: z.array(Line),
  blockers: z.array(Line),
  facts: z.array(Line),
});
type Written = z.infer<typeof Written>;

/** Room for the prompt's own words around a transcript. */
const PROMPT_TOKENS = 1_500;
const TIMEOUT_MS = 120_000;

/**
 * A model as a summariser. The range goes to it in pieces that fit its own window, as data; structured output first,
 * and the marked markdown block from models that cannot. Files and the ledger come from rules, not from the model.
 */
export function createModelSummariser(model: OpenedModel): Summariser {
  return {
    name: model.id,
    async summarise(request, { signal }) {
      const output = Math.min(model.limits.output, Math.max(1_024, request.maxTokens * 3));
      const room = Math.max(1_000, Math.floor((model.limits.window - output - PROMPT_TOKENS) * 0.8));
      const pieces: Summarised[] = [];
      // Half a window of characters is well under half a window of tokens, in any script.
      const longest = Math.min(24_000, Math.floor(room / 2));
      for (const entries of chunk(request.entries, { room, longest })) {
        pieces.push(await writePiece(model, { ...request, entries }, { output, longest, signal }));
      }
      const written = pieces.map(({ summary }) => summary);
      const usage = pieces.reduce<Usage | undefined>(
        (sum, piece) =>
          piece.usage ? addUsage(sum ?? { inputTokens: 0, outputTokens: 0 }, piece.usage) : sum,
        undefined,
      );
      return {
        summary: { ...mergeSummaries(written, request), ...extractLedger(request.entries) },
        by: { kind: 'model', model: model.id, version: PROMPT_VERSION },
        cutOff: pieces.some((piece) => piece.cutOff),
        ...(usage && { usage }),
      };
    },
  };
}

/** Whole entries, as many as fit; one that is too long for the window alone has been shortened by its text. */
function chunk(entries: readonly Entry[], { room, longest }: { room: number; longest: number }): Entry[][] {
  const chunks: Entry[][] = [];
  let left = 0;
  for (const entry of entries) {
    const tokens = countText(transcriptText([entry], { longest }));
    if (tokens > left || chunks.length === 0) {
      chunks.push([]);
      left = room;
    }
    chunks.at(-1)!.push(entry);
    left -= tokens;
  }
  return chunks;
}

async function writePiece(
  model: OpenedModel,
  request: SummariseRequest,
  { output, longest, signal }: { output: number; longest: number; signal: AbortSignal },
): Promise<Summarised> {
  const ask = (prompt: string, schema?: typeof Written) =>
    generate({
      model,
      instructions: INSTRUCTIONS,
      messages: [{ role: 'user', content: prompt }],
      maxOutputTokens: output,
      timeoutMs: TIMEOUT_MS,
      maxRetries: 1,
      signal,
      ...(schema && { schema }),
    });
  const transcript = transcriptText(request.entries, { longest });
  const structured = await ask(structuredPrompt(transcript, request), Written).catch((error: unknown) => {
    // Some models cannot write structured output and refuse the request; every other failure is one of the call itself.
    if (!isThroughlineError(error, 'model-refused')) throw error;
    return undefined;
  });
  if (structured?.object) return piece(toSummary(structured.object as Written, request.entries), structured);
  const text = structured?.text;
  const loose = text ? readLooseSummary(text) : undefined;
  if (structured && loose) return piece(loose, structured);
  const markdown = await ask(markdownPrompt(transcript, request));
  return piece(readLooseSummary(markdown.text) ?? emptySummary(), markdown);
}

function piece(
  summary: Summary,
  { usage, finishReason }: { usage: Usage; finishReason: string },
): Summarised {
  return { summary, usage, cutOff: finishReason === 'length', by: { kind: 'model' } };
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
    topics: lines(written.topics),
    decisions: lines(written.decisions),
    completed: lines(written.completed),
    pending: lines(written.pending),
    blockers: lines(written.blockers),
    facts: lines(written.facts),
  };
}
