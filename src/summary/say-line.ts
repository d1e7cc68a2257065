import type { EntryId, SummaryLine } from '../record/index.ts';

// A line of a list as text, and back. Every face writes lines this way, so that each can be read into the structure.

const BECAUSE = ' (because: ';
const INSTEAD = ' (instead of: ';

/** The line with its reason and the line that it took the place of, in brackets. */
export function sayLine({ text, reason, supersedes }: Omit<SummaryLine, 'from'>): string {
  const why = reason ? `${BECAUSE}${reason})` : '';
  return `${text}${why}${supersedes ? `${INSTEAD}${supersedes})` : ''}`;
}

export function readLine(said: string, { from = [] }: { from?: readonly EntryId[] } = {}): SummaryLine {
  const [rest, supersedes] = takeBracket(said, INSTEAD);
  const [text, reason] = takeBracket(rest, BECAUSE);
  return { text, from: [...from], ...(reason && { reason }), ...(supersedes && { supersedes }) };
}

/** A line as an item of a markdown list; its second line is indented, so that it belongs to the item. */
export function sayItem(text: string): string {
  return `- ${indented(text)}`;
}

export function indented(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, '\n  ');
}

function takeBracket(said: string, opening: string): [rest: string, inside?: string] {
  const at = said.endsWith(')') ? said.lastIndexOf(opening) : -1;
  return at <= 0 ? [said] : [said.slice(0, at), said.slice(at + opening.length, -1)];
}
