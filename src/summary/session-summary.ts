import { emptySummary, type Summary, type SummaryLine } from '../record/index.ts';

// The face that goes into markdown transcripts and through models that can only write text. A conversation may well quote
// the markers, so only markers alone on their line count, the last block wins, and markers inside lines are escaped.

export const SUMMARY_START = '<!-- SESSION_SUMMARY_START -->';
export const SUMMARY_END = '<!-- SESSION_SUMMARY_END -->';

const LISTS = [
  ['Topics Discussed', 'topics'],
  ['Decisions Made', 'decisions'],
  ['Pending', 'pending'],
] as const;

export function writeSessionSummary(summary: Summary): string {
  const topics = summary.topics.length > 0 ? summary.topics : [{ text: summary.overview, from: [] }];
  const lists = LISTS.map(([title, field]) => {
    const lines = field === 'topics' ? topics : summary[field];
    const items = lines.filter(({ text }) => text.trim()).map(({ text }) => `- ${oneLine(text)}`);
    return `**${title}:**\n${(items.length > 0 ? items : ['- None']).join('\n')}`;
  });
  return [
    SUMMARY_START,
    `**Background Context:** ${oneLine(summary.background || 'Initial session.')}`,
    '',
    '**Current Session Summary:**',
    lists.join('\n\n'),
    SUMMARY_END,
  ].join('\n');
}

/** The summary in the last whole block of a text, or `undefined` if there is none that can be read. */
export function readSessionSummary(text: string): Summary | undefined {
  const lines = text.split(/\r?\n/);
  const end = lines.findLastIndex((line) => line.trim() === SUMMARY_END);
  const start = lines.slice(0, Math.max(0, end)).findLastIndex((line) => line.trim() === SUMMARY_START);
  return start < 0 || end < 0 ? undefined : parseBlock(lines.slice(start + 1, end));
}

/** The summary in text that should be one, markers or not: what a model wrote. */
export function readLooseSummary(text: string): Summary | undefined {
  return (
    readSessionSummary(text) ??
    parseBlock(
      text.split(/\r?\n/).filter((line) => !/^<!-- SESSION_SUMMARY_(?:START|END) -->$/.test(line.trim())),
    )
  );
}

function parseBlock(lines: readonly string[]): Summary | undefined {
  const summary = emptySummary();
  let list: SummaryLine[] | undefined;
  let found = false;
  for (const line of lines) {
    const background = /^\*\*Background Context:\*\*\s*(.*)$/.exec(line.trim());
    const heading = LISTS.find(([title]) => line.trim().startsWith(`**${title}:**`));
    const item = /^\s*[-*]\s+(.+)$/.exec(line);
    if (background) summary.background = restore(background[1]!);
    if (heading) list = summary[heading[1]];
    if (background || heading) found = true;
    else if (item && list && item[1] !== 'None') list.push({ text: restore(item[1]!), from: [] });
    else if (line.trim() && list?.length && /^\s+\S/.test(line))
      list.at(-1)!.text += ` ${restore(line.trim())}`;
  }
  if (!found) return undefined;
  summary.overview = summary.topics[0]?.text ?? '';
  return summary;
}

function oneLine(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .trim()
    .replace(/<!--(?= SESSION_SUMMARY_)/g, '&lt;!--');
}

function restore(text: string): string {
  return text.replace(/&lt;!--(?= SESSION_SUMMARY_)/g, '<!--').trim();
}
