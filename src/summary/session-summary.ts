import {
  type EntryId,
  emptySummary,
  SUMMARY_LISTS,
  type Summary,
  type SummaryLine,
} from '../record/index.ts';
import { FOREIGN_TITLE, trimLines } from './foreign-text.ts';
import { readHeaded } from './read-headed.ts';
import { indented, sayItem, sayLine } from './render-summary.ts';

// The face that goes into markdown transcripts and through models that can only write text. A conversation may well quote
// the markers, so only markers alone on their line count, the last block wins, and markers inside lines are escaped.

export const SUMMARY_START = '<!-- SESSION_SUMMARY_START -->';
export const SUMMARY_END = '<!-- SESSION_SUMMARY_END -->';

const LISTS = [
  ['Topics Discussed', 'topics'],
  ['Decisions Made', 'decisions'],
  ['Pending', 'pending'],
] as const;
/** Lists that a block has only if there is something in them. */
const MORE_LISTS = [
  ['Goal', 'goal'],
  ['State', 'state'],
  ['Standing Rules', 'standing'],
  ['Blockers', 'blockers'],
  ['Completed', 'completed'],
  ['Tried and Dropped', 'dropped'],
  ['Facts', 'facts'],
] as const;

export function writeSessionSummary(summary: Summary): string {
  const topics = summary.topics.length > 0 ? summary.topics : [{ text: summary.overview, from: [] }];
  const lists = LISTS.map(([title, field]) => {
    const lines = field === 'topics' ? topics : summary[field];
    const items = lines.filter(({ text }) => text.trim()).map(toItem);
    return `**${title}:**\n${(items.length > 0 ? items : ['- None']).join('\n')}`;
  });
  const more = MORE_LISTS.flatMap(([title, field]) => {
    const items = (summary[field] ?? []).filter(({ text }) => text.trim()).map(toItem);
    return items.length > 0 ? [`**${title}:**\n${items.join('\n')}`] : [];
  });
  return [
    SUMMARY_START,
    `**Background Context:** ${indented(escaped(summary.background || 'Initial session.'))}`,
    '',
    '**Current Session Summary:**',
    [...lists, ...more].join('\n\n'),
    ...(summary.foreign ? ['', `**${FOREIGN_TITLE}:**`, escaped(summary.foreign)] : []),
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

/**
 * The summary in text that should be one, markers or not: the text of a model, or one of our renderings. `entry` is the one
 * that holds the text; items of a ledger come from there.
 */
export function readLooseSummary(text: string, { entry }: { entry?: EntryId } = {}): Summary | undefined {
  const unmarked = text
    .split(/\r?\n/)
    .filter((line) => !/^<!-- SESSION_SUMMARY_(?:START|END) -->$/.test(line.trim()));
  return readSessionSummary(text) ?? parseBlock(unmarked, entry);
}

/**
 * A summary that was imported as one text, with the lists that its headings tell: every line word for word. One that has
 * lists already comes back as it is; a long text without headings is its first line and facts.
 */
export function withLists(summary: Summary): Summary {
  if (SUMMARY_LISTS.some((list) => (summary[list] ?? []).length > 0)) return summary;
  const text = foreignText(summary.overview);
  const read = readHeaded(text) ?? splitLong(text);
  return read
    ? { ...read, background: summary.background, files: [...summary.files, ...read.files] }
    : summary;
}

/** One of ours that was imported as one text, read back into its lists; every other one as it is. */
export function readOwn(summary: Summary): Summary {
  return isRendered(summary) ? withLists(summary) : summary;
}

/** Whether the text of a summary is one of our renderings. */
export function isRendered({ overview }: Summary): boolean {
  return overview.includes('## Conversation Summary');
}

/** Without the words that a program puts before every summary. */
export function foreignText(overview: string): string {
  return trimLines(overview.replace(CONTINUED, ''));
}

/** What Claude Code writes before a summary. */
const CONTINUED = /^This session is being continued from a previous conversation[^\n]*\n+/;
const LONGEST_OVERVIEW = 600;

function splitLong(text: string): Summary | undefined {
  if (text.length <= LONGEST_OVERVIEW) return undefined;
  const [first = '', ...rest] = text.split('\n').filter((line) => line.trim());
  return { ...emptySummary(first.trim()), facts: rest.map((line) => ({ text: line.trim(), from: [] })) };
}

function parseBlock(lines: readonly string[], entry?: EntryId): Summary | undefined {
  return readHeaded(lines.join('\n'), { restore, ...(entry !== undefined && { entry }) });
}

function toItem(line: SummaryLine): string {
  return sayItem(escaped(sayLine(line)));
}

function escaped(text: string): string {
  return text.replace(/<!--(?= SESSION_SUMMARY_)/g, '&lt;!--');
}

function restore(text: string): string {
  return text.replace(/&lt;!--(?= SESSION_SUMMARY_)/g, '<!--').trim();
}
