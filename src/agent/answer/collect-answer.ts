import type { TextStreamPart, ToolSet } from 'ai';
import { isThroughlineError } from '../../errors.ts';
import type { EntryId, Part, PartialAnswer } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { isNativeSummary, isStreamFrame } from '../../text/index.ts';

type StreamPart = TextStreamPart<ToolSet>;

export interface Collector {
  readonly parts: readonly Part[];
  /** Calls that cannot be run, by id, with the reason. */
  readonly invalid: Readonly<Record<string, string>>;
  /** Where the model says it has something from. No provider takes them back, so they are not among the parts. */
  readonly sources: readonly unknown[];
  /** Takes what the stream brings; tells what that adds to the answer. */
  take(part: StreamPart): PartDelta[];
}

/** Puts a streamed answer together, in the form of the AI SDK's model messages: what goes back to the model later. */
export function createCollector(): Collector {
  const parts: Part[] = [];
  const places = new Map<string, number>();
  const invalid: Record<string, string> = {};
  const sources: unknown[] = [];

  const next = (fields: Omit<PartDelta, 'at'>): PartDelta => ({ at: parts.length, ...fields }) as PartDelta;

  function read(part: StreamPart): PartDelta | undefined {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const type = part.type === 'text-start' ? 'text' : 'reasoning';
        places.set(`${type} ${part.id}`, parts.length);
        return next({ type, text: '', ...optionsOf(part) });
      }
      case 'text-delta':
      case 'text-end':
        return more('text', part);
      case 'reasoning-delta':
      case 'reasoning-end':
        return more('reasoning', part);
      case 'tool-call': {
        const { toolCallId, toolName, input } = part;
        if (part.invalid) invalid[toolCallId] = messageOf(part.error);
        const executed = part.providerExecuted === true && { providerExecuted: true };
        return next({ type: 'tool-call', toolCallId, toolName, input, ...executed, ...optionsOf(part) });
      }
      case 'tool-result': {
        const { toolCallId, toolName, output } = part;
        if (!part.providerExecuted || part.preliminary) return undefined;
        const kept = typeof output === 'string' ? text(output) : { type: 'json', value: output ?? null };
        return next({ type: 'tool-result', toolCallId, toolName, output: kept, ...optionsOf(part) });
      }
      case 'tool-error': {
        const { toolCallId, toolName, error } = part;
        if (!part.providerExecuted) return undefined;
        const kept = { type: 'error-json', value: jsonOf(error) };
        return next({ type: 'tool-result', toolCallId, toolName, output: kept, ...optionsOf(part) });
      }
      case 'file':
      case 'reasoning-file': {
        const { base64: data, mediaType } = part.file;
        return next({ type: part.type, data, mediaType, ...optionsOf(part) });
      }
      case 'custom':
        if (isStreamFrame(part)) return undefined;
        return next({ type: 'custom', kind: part.kind, ...optionsOf(part) });
      case 'source':
        sources.push(jsonOf(part));
        return undefined;
      default:
        return undefined;
    }
  }

  function more(
    type: 'text' | 'reasoning',
    part: { id: string; text?: string; providerMetadata?: unknown },
  ): PartDelta {
    const at = places.get(`${type} ${part.id}`);
    // Some servers forget to say that a text begins.
    if (at === undefined) {
      places.set(`${type} ${part.id}`, parts.length);
      return next({ type, text: part.text ?? '', ...optionsOf(part) });
    }
    return { at, type, text: part.text ?? '', ...optionsOf(part) };
  }

  return {
    parts,
    invalid,
    sources,
    take(part) {
      const delta = read(part);
      if (!delta) return [];
      growParts(parts, delta);
      return [delta];
    },
  };
}

/** What only the provider understands comes as metadata and goes back as options. */
function optionsOf({ providerMetadata }: { providerMetadata?: unknown }): { providerOptions?: unknown } {
  return providerMetadata == null ? {} : { providerOptions: providerMetadata };
}

const text = (value: string) => ({ type: 'text', value });

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function jsonOf(value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message };
  return JSON.parse(JSON.stringify(value) ?? 'null');
}

/** What came for one part of an answer: a new part, or more text for one that is there. */
export interface PartDelta {
  /** The part's place in the answer. */
  readonly at: number;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Adds a delta to the parts of a growing answer. The same deltas in the same order always give the same parts. */
export function growParts(parts: Part[], { at, ...fields }: PartDelta): void {
  const known = parts[at];
  if (!known) parts[at] = fields;
  else if (typeof known.text !== 'string') parts[at] = { ...known, ...fields };
  else parts[at] = { ...known, ...fields, text: known.text + String(fields.text ?? '') };
}

/** The answer as it is written down: without places that nothing came for. */
export function saidParts(parts: readonly Part[]): Part[] {
  return parts.filter((part) => part !== undefined && !isEmpty(part));
}

/** True if anything came that is worth keeping: not only the frame of an answer. */
export function saysAnything(parts: readonly Part[]): boolean {
  return parts.some((part) => part.type !== 'custom' && !(isText(part) && part.text === ''));
}

export function callsTools(parts: readonly Part[]): boolean {
  return parts.some(({ type }) => type === 'tool-call');
}

function isEmpty(part: Part): boolean {
  return isText(part) && part.text === '' && part.providerOptions === undefined;
}

const isText = ({ type }: Part) => type === 'text' || type === 'reasoning';

// A streamed answer is never more than a second or a few kilobytes ahead of the disk. Flushes are notes of the additions to
// the answer; the answer itself is appended once, when it is whole or when it stops.

/** The oldest thing that is not on disk yet is never older than this. */
const MOST_MS = 1_000;
const MOST_CHARACTERS = 4_096;

interface Flusher {
  add(delta: PartDelta): void;
  /** Writes no more. Resolves once flushes on their way are written; the rest is the caller's. */
  stop(): Promise<void>;
}

export function createFlusher(
  session: Session,
  {
    answer,
    model,
    everyMs = MOST_MS,
    onLost,
  }: {
    answer: EntryId;
    model: string;
    everyMs?: number;
    /** The session cannot be written to any more: another writer has it. There is no point in going on. */
    onLost: (error: unknown) => void;
  },
): Flusher {
  let waiting: PartDelta[] = [];
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const parts = waiting;
    waiting = [];
    characters = 0;
    const note: PartialAnswer = { kind: 'run', step: 'partial', answer, model, parts };
    writing = session.append([note]).then(
      () => {},
      (error: unknown) => {
        // A disk that refuses keeps the note in memory and writes it later; the end of the turn tells of it.
        if (!isThroughlineError(error, 'not-saved')) onLost(error);
      },
    );
  }

  return {
    add(delta) {
      const last = waiting.at(-1);
      if (last?.at === delta.at && isMoreText(delta)) waiting[waiting.length - 1] = joined(last, delta);
      else waiting.push(delta);
      characters += typeof delta.text === 'string' ? delta.text.length : MOST_CHARACTERS / 8;
      if (characters >= MOST_CHARACTERS) flush();
      else timer ??= setTimeout(flush, everyMs).unref();
    },
    async stop() {
      clearTimeout(timer);
      waiting = [];
      await writing;
    },
  };
}

const isMoreText = ({ type }: PartDelta) => type === 'text' || type === 'reasoning';

function joined(last: PartDelta, delta: PartDelta): PartDelta {
  return { ...last, ...delta, text: `${String(last.text ?? '')}${String(delta.text ?? '')}` };
}

/** The summary that a provider put into an answer, and the answer without it. */
interface SplitAnswer {
  readonly block: Part | undefined;
  readonly parts: readonly Part[];
}

/** Of several the last one: it holds what the others did. */
export function splitAnswer(parts: readonly Part[]): SplitAnswer {
  return {
    block: parts.findLast(isNativeSummary),
    parts: parts.filter((part) => !isNativeSummary(part)),
  };
}

/** True for an answer that is a summary by the provider and nothing else. */
export function isSummaryAlone(parts: readonly Part[]): boolean {
  const { block, parts: said } = splitAnswer(parts);
  return block !== undefined && !saysAnything(said);
}
