import { textOrPreview } from './blob-ref.ts';
import type { EntryBody } from './entry-body.ts';

const LONGEST = 80;
const LOOKED_AT = 20_000;

/**
 * The first line of a message that has words, cut at a code point. Programs put tagged text in front of the words of a
 * person; it names a session only if the message has nothing else.
 */
export function firstLine({ parts }: Extract<EntryBody, { kind: 'message' }>): string {
  let tagged = '';
  for (const part of parts) {
    const text = part.type !== 'text' ? '' : textOrPreview(part.text).slice(0, LOOKED_AT);
    const { rest, words } = withoutTags(text);
    const line = lineOf(rest);
    if (line) return line;
    tagged ||= words;
  }
  return tagged;
}

/** Two words in the name, which elements of HTML do not have. */
const TAGGED = /^\s*<([a-z]+(?:[-_][a-z]+)+)>([\s\S]*?)<\/\1>/;

/** The text behind the tags at its beginning, and the words inside the tags: those of a command as they were typed. */
function withoutTags(text: string): { rest: string; words: string } {
  const inside = new Map<string, string>();
  let rest = text;
  for (let found = TAGGED.exec(rest); found; found = TAGGED.exec(rest)) {
    inside.set(found[1]!, lineOf(found[2]!));
    rest = rest.slice(found[0].length);
  }
  const command = inside.get('command-name');
  const [first = ''] = [...inside.values()].filter(Boolean);
  return { rest, words: command ? lineOf(`${command} ${inside.get('command-args') ?? ''}`) : first };
}

function lineOf(text: string): string {
  const line = /\S[^\n\r]*/.exec(text.trimStart().slice(0, 2000))?.[0]?.trim() ?? '';
  const points = [...line];
  return points.length > LONGEST ? `${points.slice(0, LONGEST - 1).join('')}…` : line;
}
