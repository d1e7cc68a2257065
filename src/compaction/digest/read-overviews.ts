import type { Summary } from '../../record/index.ts';
import { cutWords, type Request } from './read-requests.ts';

const FIRST = 'First message: ';
const LAST = 'Latest message: ';
const LONGEST = 100;

/**
 * What the range was about: the newest thing the person said, then that and the first one. Each says all that the one
 * before it says. Summaries that came before hand on what they quoted.
 */
export function readOverviews(requests: readonly Request[], earlier: readonly Summary[]): string[] {
  const [oldest, newest] = [earlier[0]?.overview, earlier.at(-1)?.overview];
  const first = quoted(FIRST, oldest) ?? (oldest ? undefined : requests[0]?.text);
  const last = requests.at(-1)?.text ?? quoted(LAST, newest) ?? quoted(FIRST, newest);
  const begin = first ? `${FIRST}${quote(first)}` : cutWords(oldest ?? '', LONGEST * 2);
  const end = last && last !== first ? `${LAST}${quote(last)}` : '';
  const both = [begin, end].filter((line) => line).join('\n');
  return [...new Set([end || begin, both])].filter((text) => text);
}

/** Word for word what was asked; what was cut off is marked outside the quotes. */
function quote(text: string): string {
  const cut = cutWords(text, LONGEST);
  return cut === text ? `"${text}"` : `"${cut}"…`;
}

/** What a digest quoted earlier; `undefined` when somebody else wrote the overview. */
function quoted(label: typeof FIRST | typeof LAST, overview: string | undefined): string | undefined {
  return overview === undefined ? undefined : QUOTED[label].exec(overview)?.[1];
}

const QUOTED = {
  [FIRST]: /^First message: "([\s\S]*?)"…?(?:\s+Latest message: |\s*$)/,
  [LAST]: /(?:^|\s)Latest message: "([\s\S]*)"…?\s*$/,
};
