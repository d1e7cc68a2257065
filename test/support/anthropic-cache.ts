import { createHash } from 'node:crypto';
import { countText } from '../../src/tokens/index.ts';

/** A request as Anthropic's Messages API takes it, as far as its cache looks at it. */
export interface CachedRequest {
  readonly model: string;
  readonly tools?: readonly object[];
  readonly system?: string | readonly object[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly object[] }[];
  readonly cache_control?: object;
}

export interface CacheUse {
  /** All tokens of the request, by the local estimate. */
  readonly input: number;
  readonly read: number;
  readonly written: number;
  /** Marks in the request. */
  readonly marks: number;
}

const MOST_MARKS = 4;
/** A mark and the blocks before it where an entry of an earlier request is found. */
const LOOK_BACK = 20;
const TTL_MS = 5 * 60_000;

/** Shorter beginnings are not kept. The first that the name begins with counts. */
const LEAST_TOKENS: readonly (readonly [model: string, tokens: number])[] = [
  ['claude-haiku-4-5', 4_096],
  ['claude-opus-4-5', 4_096],
  ['claude-opus-4-6', 4_096],
  ['claude-opus-4-7', 2_048],
  ['claude-3-5-haiku', 2_048],
  ['claude-opus-5', 512],
  ['claude-fable-5', 512],
  ['claude-', 1_024],
];

/**
 * Anthropic's documented cache: a request writes one entry for the beginning up to each of its marks, and reads the longest
 * entry that it finds at one of its marks or a few blocks before it. The order is tools, system, messages.
 */
export function createAnthropicCache({ ttlMs = TTL_MS }: { readonly ttlMs?: number } = {}) {
  const usedAt = new Map<string, number>();
  return {
    take(request: CachedRequest, at = 0): CacheUse {
      const blocks = blocksOf(request);
      const marks = blocks.flatMap(({ marked }, index) => (marked ? [index] : []));
      if (marks.length > MOST_MARKS)
        throw new Error(`A maximum of ${MOST_MARKS} blocks with cache_control may be provided.`);
      const least = LEAST_TOKENS.find(([name]) => request.model.startsWith(name))?.[1] ?? 1_024;
      const isKept = ({ prefix }: Block) => at - (usedAt.get(prefix) ?? Number.NEGATIVE_INFINITY) <= ttlMs;
      const found = marks.flatMap((mark) => {
        for (let index = mark; index >= 0 && index > mark - LOOK_BACK; index--)
          if (isKept(blocks[index]!)) return [blocks[index]!];
        return [];
      });
      const longest = found.toSorted((a, b) => b.upTo - a.upTo)[0];
      const written = marks.map((mark) => blocks[mark]!).filter(({ upTo }) => upTo >= least);
      for (const { prefix } of [...found, ...written]) usedAt.set(prefix, at);
      const read = longest?.upTo ?? 0;
      return {
        input: blocks.at(-1)?.upTo ?? 0,
        read,
        written: Math.max(0, (written.at(-1)?.upTo ?? 0) - read),
        marks: marks.length,
      };
    },
  };
}

interface Block {
  /** Of everything up to here. */
  readonly prefix: string;
  readonly upTo: number;
  readonly marked: boolean;
}

function blocksOf({ tools = [], system = [], messages, cache_control }: CachedRequest): Block[] {
  const content = (value: string | readonly object[]) =>
    typeof value === 'string' ? (value === '' ? [] : [{ type: 'text', text: value }]) : value;
  const all = [
    ...tools.map((block) => ({ of: 'tools', block })),
    ...content(system).map((block) => ({ of: 'system', block })),
    ...messages.flatMap(({ role, content: said }) => content(said).map((block) => ({ of: role, block }))),
  ];
  let prefix = '';
  let upTo = 0;
  return all.map(({ of, block }, index) => {
    const { cache_control: mark, ...plain } = block as { cache_control?: object };
    const text = JSON.stringify(plain);
    prefix = createHash('sha256').update(`${prefix} ${of} ${text}`).digest('hex');
    upTo += countText(text);
    const automatic = cache_control !== undefined && index === all.length - 1;
    return { prefix, upTo, marked: mark !== undefined || automatic };
  });
}
