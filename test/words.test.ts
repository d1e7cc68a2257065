import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// Plain words: the subject of a sentence is the name of the thing it is about, so that a search for the noun finds it.
// Each limit is the share of texts that avoid the noun, in percent. Limits only go down; 1 is the mark. The help of
// commands and the summaries of RPC methods are counted in docs/cli.md and docs/rpc.md, which are compared with them.

const AVOIDS_THE_NOUN =
  /\b(?:whoever|whomever|somebody|someone|nobody|anybody|anyone|meanwhile|told|what (?:is|was|are|were)|by (?:itself|themselves)|of (?:one's|its|their|our) own|such an?|(?:is|are|was|were) said (?:so|once|then|now|in|with|by|about))\b/i;

const LIMITS = { comments: 1, 'test names': 1, docs: 3, decisions: 0.6 } as const;

const read = (files: readonly string[]) => files.map((file) => readFileSync(file, 'utf8'));

/** Comments of sources as single lines: doc comments, blocks of line comments, and comments at the end of a line. */
function commentsIn(source: string): string[] {
  const found = source.match(/\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/[^\n]*\n)+|\/\/[^\n]*/gm) ?? [];
  return found.map((comment) => comment.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' '));
}

function titlesIn(source: string): string[] {
  const calls = source.matchAll(
    /\b(?:it|describe|test)(?:\.\w+(?:\((?:[^()]|\([^()]*\))*\))?)*\(\s*(['`"])((?:\\.|(?!\1)[\s\S])*)\1/g,
  );
  return [...calls].map(([, , title]) => title!);
}

/** Sentences outside of code blocks. Quoted promises are the names of contract cases, and are counted there. */
function sentencesIn(page: string): string[] {
  const text = page.replace(/^```[\s\S]*?^```$/gm, '').replace(/^> - .*$/gm, '');
  return text.split(/(?<=[.!?:;])\s+|\n\n|\n(?=[-|#])/).filter((sentence) => sentence.trim());
}

const texts = {
  comments: read(globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}'])).flatMap(commentsIn),
  'test names': read(globSync('test/**/*.ts')).flatMap(titlesIn),
  docs: read(globSync(['*.md', 'docs/*.md'])).flatMap(sentencesIn),
  decisions: read(globSync('docs/decisions/*.md')).flatMap(sentencesIn),
};

it.each(Object.entries(LIMITS))('few %s avoid the noun', (kind, limit) => {
  const all = texts[kind as keyof typeof texts];
  const avoiding = all.filter((text) => AVOIDS_THE_NOUN.test(text));
  expect(all.length).toBeGreaterThan(300);
  const share = (100 * avoiding.length) / all.length;
  const examples = avoiding.slice(0, 20).join('\n');
  expect(share, `${avoiding.length} of ${all.length}, among them:\n${examples}`).toBeLessThanOrEqual(limit);
});

it('the lint finds a riddle, and lets a plain sentence pass', () => {
  const [riddle, plain] = commentsIn('/** Told of what\n * is typed. */\n// Lines typed during an answer.\n');
  expect([AVOIDS_THE_NOUN.test(riddle!), AVOIDS_THE_NOUN.test(plain!)]).toEqual([true, false]);
});
