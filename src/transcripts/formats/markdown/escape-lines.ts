import { SUMMARY_END, SUMMARY_START } from '../../../summary/index.ts';

// A message may quote a transcript, marks and all. A line that would be read as part of the frame gets a backslash, which
// markdown does not show; one that has backslashes there already gets one more, so that taking one off is exact.

/** The lines that make up the frame of a transcript, at the start of a line. */
function isFrameLine(line: string, agent: string): boolean {
  const text = line.replace(/\r$/, '');
  return (
    text === RULE ||
    /^## (?:Query \d+|Session Restored)\b/.test(text) ||
    text.startsWith(YOU) ||
    text.startsWith(saidBy(agent)) ||
    /^\*Time: .*\*$/.test(text) ||
    [SUMMARY_START, SUMMARY_END, NEXT_SESSION].includes(text.trim())
  );
}

export const RULE = '---';
export const YOU = '**You:**';
/** Stands between the sessions of a chain. */
export const NEXT_SESSION = '<!-- NEXT_SESSION -->';

export function saidBy(agent: string): string {
  return `**${agent}:**`;
}

export function escapeText(text: string, agent: string): string {
  return text
    .split('\n')
    .map((line, index) => (index > 0 && isFrameLine(withoutSlashes(line), agent) ? `\\${line}` : line))
    .join('\n');
}

export function unescapeText(text: string, agent: string): string {
  return text
    .split('\n')
    .map((line, index) =>
      index > 0 && line.startsWith('\\') && isFrameLine(withoutSlashes(line), agent) ? line.slice(1) : line,
    )
    .join('\n');
}

function withoutSlashes(line: string): string {
  return line.replace(/^\\+/, '');
}
