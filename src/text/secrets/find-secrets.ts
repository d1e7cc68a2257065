import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { apart, type FoundSecret } from './found-secret.ts';
import { PATTERNS } from './patterns.ts';
import { unescaped } from './unescaped.ts';

const PREFIX = '@secretlint/secretlint-rule-';

/** A transcript that happens to hold the scanner's own comment must not switch it off. */
const config = {
  rules: [
    { id: creator.meta.id, rule: creator, rules: [{ id: `${PREFIX}filter-comments`, disabled: true }] },
  ],
};

// It writes down sixty times a text when each rule began and ended, in a list of the whole process that is never emptied.
secretLintProfiler.setEnabled(false);

/** Shorter than any secret that the scanner knows. */
export const SHORTEST_SECRET = 8;

/** All secrets of a text, in order and apart, found by the scanner's rules and by our own patterns. */
export async function findSecrets(text: string): Promise<FoundSecret[]> {
  if (text.length < SHORTEST_SECRET) return [];
  const plain = unescaped(text);
  const found = [...(await scan(plain)), ...matches(plain)];
  if (plain !== text) found.push(...(await scan(text)));
  return apart(found.flatMap((secret) => withinQuotes(text, grown(text, secret))));
}

async function scan(content: string): Promise<FoundSecret[]> {
  const { messages } = await lintSource({
    source: { content, filePath: 'transcript.txt', ext: '.txt', contentType: 'text' },
    options: { config, noPhysicFilePath: true },
  });
  return messages.map(({ range: [start, end], ruleId }) => ({
    start,
    end,
    kind: ruleId.replace(PREFIX, '').replace('database-connection-string', 'database'),
  }));
}

function matches(text: string): FoundSecret[] {
  return PATTERNS.flatMap(({ kind, form }) =>
    [...text.matchAll(form)].map(({ index, 0: secret }) => ({
      start: index,
      end: index + secret.length,
      kind,
    })),
  );
}

const OF_TOKENS = /[A-Za-z0-9_+/=.~-]/;

/** Some rules report less than the whole token; the rest of it could still be misused. */
function grown(text: string, { start, end, kind }: FoundSecret): FoundSecret {
  let [from, to] = [start, end];
  while (to < text.length && OF_TOKENS.test(text[to]!)) to++;
  // Half an escape would break the JSON around it.
  while (from > 0 && text[from - 1] === '\\') from--;
  while (to < text.length && text[to - 1] === '\\') to++;
  return { start: from, end: to, kind };
}

/** A secret may reach over several strings of one JSON object. The text between them stays, so that it stays JSON. */
function withinQuotes(text: string, { start, end, kind }: FoundSecret): FoundSecret[] {
  const pieces: FoundSecret[] = [];
  let from = start;
  for (let at = start; at <= end; at++) {
    const slashed = text[at - 1] === '\\';
    if (at < end && (text[at] !== '"' || slashed)) continue;
    const piece = text.slice(from, at);
    if (/[A-Za-z0-9]/.test(piece) && (at - from >= 4 || end - start < 8))
      pieces.push({ start: from, end: at, kind });
    from = at + 1;
  }
  return pieces;
}
