import type { OperationResult } from '../../../operations/index.ts';
import type { SearchHit, searchSessions } from '../../../operations/search/index.ts';
import { bold, cyan, dim, yellow } from '../terminal/paint.ts';
import { sayAge } from '../terminal/say.ts';
import { foldWidth } from '../terminal/screen-width.ts';
import { cutToWidth, wrapText } from '../terminal/text-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/** What stands around a match on its way to the terminal: characters that no text has a meaning for. */
export const MARK = ['\uf5a0', '\uf5a1'] as const;

const MARKED = new RegExp(`${MARK[0]}([^${MARK[1]}]*)${MARK[1]}`, 'g');
const INDENT = '   ';

const WHY = { name: 'the whole session', file: 'worked on this file' };

type Found = OperationResult<typeof searchSessions>;

/**
 * Hits, for people: sessions that are called so or worked on the file, then by conversation the messages and their times, with
 * the command that opens it there. The conversation of the best hit comes first.
 */
export function renderFound({ sessions, hits }: Pick<Found, 'sessions' | 'hits'>): string[] {
  const named = sessions.flatMap(({ id, title, updatedAt, by }) => [
    `${bold(cyan(titleLine(title, id)))}  ${dim(`${WHY[by]}  ${sayAge(updatedAt)}`)}`,
    `${INDENT}${dim(`throughline show ${id}`)}`,
    '',
  ]);
  const said = Array.from(
    Map.groupBy(hits, ({ session }) => session),
    ([session, some]) =>
      some.flatMap((hit, index) => [...hitLines(hit, { session, first: index === 0 }), '']),
  );
  return [...named, ...said.flat()].slice(0, -1);
}

/** The conversation is named once, above the first of its hits. */
function hitLines(
  { title, seq, role, at, snippet, alike }: SearchHit,
  { session, first }: { session: string; first: boolean },
): string[] {
  const facts = dim(`${role}  ${sayAge(at)}${alike > 0 ? `  and ${alike} alike` : ''}`);
  return [
    first ? `${bold(cyan(titleLine(title, session)))}  ${facts}` : INDENT + facts,
    ...snippetLines(snippet),
    `${INDENT}${dim(`throughline show ${session} --at ${seq}`)}`,
  ];
}

/** What a reader of the hits has to know of them. */
export function sayRest({ hits, more, loose }: Pick<Found, 'hits' | 'more' | 'loose'>): string[] {
  return [
    ...(loose ? ['No message holds what is in quotes; these were found without the quotes.'] : []),
    ...(more ? [`There are more than these ${hits.length}; -n shows more of them.`] : []),
  ];
}

function titleLine(title: string, session: string): string {
  return cutToWidth(visibleLine(title) || session, Math.max(20, foldWidth() - 30));
}

function snippetLines(snippet: string): string[] {
  const shown = visibleLine(snippet).replace(MARKED, (_, match: string) => bold(yellow(match)));
  const plain = shown.replaceAll(MARK[0], '').replaceAll(MARK[1], '');
  return wrapText(plain, foldWidth() - INDENT.length)
    .split('\n')
    .map((line) => INDENT + line);
}
