import type { TextStreamPart, ToolSet } from 'ai';
import type { Part } from '../../record/index.ts';

type StreamPart = TextStreamPart<ToolSet>;

export interface Collector {
  readonly parts: readonly Part[];
  /** Calls that cannot be run, by id, with what is wrong with them. */
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

/** Whether anything came that somebody could want to keep: not only the frame of an answer. */
export function saysAnything(parts: readonly Part[]): boolean {
  return parts.some((part) => part.type !== 'custom' && !(isText(part) && part.text === ''));
}

function isEmpty(part: Part): boolean {
  return isText(part) && part.text === '' && part.providerOptions === undefined;
}

const isText = ({ type }: Part) => type === 'text' || type === 'reasoning';
