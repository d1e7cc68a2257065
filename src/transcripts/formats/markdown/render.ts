import type { Summary } from '../../../record/index.ts';
import { writeSessionSummary } from '../../../summary/index.ts';
import { sayNumber } from '../../../text/index.ts';
import type {
  MarkdownDocument,
  MarkdownHeader,
  MarkdownQuery,
  MarkdownRestored,
  MarkdownStats,
} from './document.ts';
import { escapeText, RULE, saidBy, YOU } from './escape-lines.ts';

/** The whole transcript as text. */
export function renderMarkdown({ header, restored, queries, summary }: MarkdownDocument): string {
  return [
    renderHeader(header),
    ...(restored ? [renderRestored(restored, header.agent)] : []),
    ...queries.map((query) => renderQuery(query, header.agent)),
    ...(summary ? [renderSummaryBlock(summary)] : []),
  ].join('');
}

export function renderHeader(header: MarkdownHeader): string {
  const { agent, sessionId, date, agentPath, totalQueries, forkedFrom } = header;
  const fields = [
    ['Session ID', sessionId],
    ['Date', date === undefined ? undefined : sayDate(date)],
    ['Agent', agent],
    ['Agent Path', agentPath],
    ['Forked From', forkedFrom],
    ['Total Queries', totalQueries],
  ].filter(([, value]) => value !== undefined);
  const lines = fields.map(([name, value]) => `**${name}:** ${oneLine(String(value))}`);
  return `# ${oneLine(agent)} Conversation\n\n${lines.join('\n')}\n\n${RULE}\n\n`;
}

export function renderRestored(restored: MarkdownRestored, agent: string): string {
  const { time, from, queries, tokens, previousSession, answer, stats } = restored;
  const facts = [
    ...(queries === undefined ? [] : [`${queries} ${queries === 1 ? 'query' : 'queries'}`]),
    ...(tokens === undefined ? [] : [`${shortCount(tokens)} tokens`]),
  ];
  return [
    `## Session Restored${time ? ` (${time})` : ''}\n`,
    ...(from === undefined
      ? []
      : [`**Context:** Resumed from ${from}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}\n`]),
    ...(previousSession === undefined ? [] : [`**Previous Session:** ${oneLine(previousSession)}\n`]),
    `\n${saidBy(agent)} ${escapeText(answer, agent)}\n\n`,
    renderStats(stats),
    `${RULE}\n\n`,
  ].join('');
}

export function renderQuery({ number, time, question, answer, stats }: MarkdownQuery, agent: string): string {
  return [
    `## Query ${number}${time ? ` (${time})` : ''}\n`,
    `${YOU} ${escapeText(question, agent)}\n\n`,
    ...(answer === undefined ? [] : [`${saidBy(agent)} ${escapeText(answer, agent)}\n\n`]),
    renderStats(stats),
    `${RULE}\n\n`,
  ].join('');
}

export function renderSummaryBlock(summary: Summary): string {
  return `${writeSessionSummary(summary)}\n`;
}

function renderStats(stats: MarkdownStats | undefined): string {
  if (!stats) return '';
  const { seconds, inputTokens, outputTokens } = stats;
  const count = sayNumber;
  const facts = [
    ...(seconds === undefined ? [] : [`Time: ${seconds.toFixed(1)}s`]),
    ...(inputTokens === undefined || outputTokens === undefined
      ? []
      : [
          `Tokens: ${count(inputTokens + outputTokens)} (in: ${count(inputTokens)}, out: ${count(outputTokens)})`,
        ]),
  ];
  // The line begins with the time, known or not, so that it is distinct from messages.
  if (seconds === undefined && facts.length > 0) facts.unshift('Time: –');
  return facts.length > 0 ? `*${facts.join(' | ')}*\n\n` : '';
}

/** `2.3K`, for people. */
function shortCount(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_950 ? [count / 1000, 'K'] : [count / 1_000_000, 'M'];
  return `${value.toFixed(1)}${unit}`;
}

/** Local time with microseconds: `2025-12-30T14:30:22.123000`. */
function sayDate(date: number): string {
  const two = (value: number, width = 2) => String(value).padStart(width, '0');
  const at = new Date(date);
  const day = `${two(at.getFullYear(), 4)}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${sayTimeOfDay(date)}.${two(at.getMilliseconds(), 3)}000`;
}

export function sayTimeOfDay(date: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const at = new Date(date);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
