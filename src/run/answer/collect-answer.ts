import type { TextStreamPart, ToolSet } from 'ai';
import type { Part } from '../../record/index.ts';
import { growParts, type PartDelta } from './grow-parts.ts';

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
