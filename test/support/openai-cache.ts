import { createHash } from 'node:crypto';
import { countText } from '../../src/tokens/index.ts';
import type { CacheUse } from './anthropic-cache.ts';

/** A request as OpenAI's Responses API takes it, as far as its cache looks at it. */
export interface CachedInput {
  readonly tools?: readonly object[];
  readonly instructions?: string;
  readonly input: readonly Item[];
}

interface Item {
  readonly content?: string | readonly object[];
  readonly output?: string | readonly object[];
}

const LEAST_TOKENS = 1_024;
const MOST_WRITES = 3;
const MOST_LOOKED_AT = 80;

/**
 * The documented cache of OpenAI's models since GPT-5.6, read strictly: a request writes the beginning up to its end and up to each
 * of its newest three marks, and reads the longest that it finds at its end or at one of its newest marks.
 */
export function createOpenAiCache() {
  const kept = new Set<string>();
  return {
    take({ tools = [], instructions = '', input }: CachedInput): CacheUse {
      const blocks = [...tools, { text: instructions }, ...input.flatMap(partsOf)];
      let prefix = '';
      let upTo = 0;
      const all = blocks.map((block) => {
        const { prompt_cache_breakpoint: mark, ...plain } = block as { prompt_cache_breakpoint?: object };
        const text = JSON.stringify(plain);
        prefix = createHash('sha256').update(`${prefix} ${text}`).digest('hex');
        upTo += countText(text);
        return { prefix, upTo, marked: mark !== undefined };
      });
      const marks = all.filter(({ marked }) => marked);
      const end = all.at(-1)!;
      const found = [...marks.slice(-MOST_LOOKED_AT), end].findLast((one) => kept.has(one.prefix));
      const read = found?.upTo ?? 0;
      for (const one of [...marks.slice(-MOST_WRITES), end])
        if (one.upTo >= LEAST_TOKENS) kept.add(one.prefix);
      return { input: upTo, read, written: upTo - read, marks: marks.length };
    },
  };
}

/** Texts are the same to the cache whether they stand alone or in a list. */
function partsOf({ content, output, ...item }: Item): object[] {
  const list = content ?? output ?? [];
  const parts = typeof list === 'string' ? [{ type: 'input_text', text: list }] : list;
  return [item, ...parts];
}
