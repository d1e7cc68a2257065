import type { SearchHit } from '../../operations/search/index.ts';
import { bold, cyan, dim, yellow } from '../terminal/paint.ts';
import { sayAge } from '../terminal/say.ts';
import { foldWidth } from '../terminal/screen-width.ts';
import { cutText } from '../terminal/text-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { wrapText } from '../terminal/wrap-text.ts';

/** What stands around a match on its way to the terminal: characters that no text has a meaning for. */
export const MARK = ['\uf5a0', '\uf5a1'] as const;

const MARKED = new RegExp(`${MARK[0]}([^${MARK[1]}]*)${MARK[1]}`, 'g');
const INDENT = '   ';

/** What was found, for people: in which conversation and when, the words, and the command that opens it there. */
export function renderHits(hits: readonly SearchHit[]): string[] {
  const lines: string[] = [];
  for (const [index, { session, title: called, seq, role, at, snippet }] of hits.entries()) {
    const facts = dim(`${role}  ${sayAge(at)}`);
    const title = cutText(visibleLine(called) || session, Math.max(20, foldWidth() - 30));
    if (index > 0) lines.push('');
    lines.push(`${bold(cyan(title))}  ${facts}`, ...snippetLines(snippet));
    lines.push(`${INDENT}${dim(`throughline show ${session} --at ${seq}`)}`);
  }
  return lines;
}

function snippetLines(snippet: string): string[] {
  const shown = visibleLine(snippet).replace(MARKED, (_, match: string) => bold(yellow(match)));
  const plain = shown.replaceAll(MARK[0], '').replaceAll(MARK[1], '');
  return wrapText(plain, foldWidth() - INDENT.length)
    .split('\n')
    .map((line) => INDENT + line);
}
