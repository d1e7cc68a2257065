import { readSessionSummary } from '../../../summary/index.ts';
import type {
  MarkdownDocument,
  MarkdownHeader,
  MarkdownQuery,
  MarkdownRestored,
  MarkdownStats,
} from './document.ts';
import { saidBy, unescapeText, YOU } from './escape-lines.ts';
import { type MarkdownSection, splitSections } from './split-sections.ts';

/**
 * Reads a transcript; of a chain, the newest session. Unknown lines are left out here; the reader of files carries it along.
 */
export function parseMarkdown(text: string): MarkdownDocument {
  const all = splitSections(text);
  const sections = all.slice(
    Math.max(
      0,
      all.findLastIndex(({ kind }) => kind === 'header'),
    ),
  );
  const header = parseHeader(sections.find(({ kind }) => kind === 'header')?.lines ?? []);
  const restored = sections.find(({ kind }) => kind === 'restored');
  const block = sections.findLast(({ kind }) => kind === 'summary');
  const summary = block && readSessionSummary(block.lines.join('\n'));
  return {
    header,
    queries: sections.flatMap((section) =>
      section.kind === 'query' ? (parseQueryLine(section, header.agent) ?? []) : [],
    ),
    ...(restored && { restored: parseRestored(restored, header.agent) }),
    ...(summary && { summary }),
  };
}

export function parseHeader(lines: readonly string[]): MarkdownHeader {
  const fields = new Map<string, string>();
  let title: string | undefined;
  for (const line of lines) {
    const field = /^\*\*([^*:]+):\*\*\s*(.*)$/.exec(line);
    if (field && !fields.has(field[1]!)) fields.set(field[1]!, field[2]!.trim());
    title ??= /^# (.+?)(?: Conversation)?\s*$/.exec(line)?.[1];
  }
  const date = Date.parse(fields.get('Date')?.replace(/(\.\d{3})\d+/, '$1') ?? '');
  const total = Number(fields.get('Total Queries') ?? Number.NaN);
  const sessionId = fields.get('Session ID');
  const agentPath = fields.get('Agent Path');
  const forkedFrom = fields.get('Forked From');
  return {
    agent: fields.get('Agent') || title || 'Assistant',
    ...(sessionId && { sessionId }),
    ...(Number.isFinite(date) && date >= 0 && { date }),
    ...(agentPath && { agentPath }),
    ...(Number.isInteger(total) && { totalQueries: total }),
    ...(forkedFrom && { forkedFrom }),
  };
}

const HEADING = /^## (?:Query (\d+)|Session Restored)(?:\s*\(([^)]*)\))?/;

export function parseQueryLine({ lines }: MarkdownSection, agent: string): MarkdownQuery | undefined {
  const [, number, time] = HEADING.exec(lines[0] ?? '') ?? [];
  const { before, answer, stats } = parseAnswer(lines.slice(1), agent);
  const start = before.findIndex((line) => line.startsWith(YOU));
  if (number === undefined || start < 0) return undefined;
  const question = said([before[start]!.slice(YOU.length).replace(/^ /, ''), ...before.slice(start + 1)]);
  return {
    number: Number(number),
    question: unescapeText(question, agent),
    ...(time && { time }),
    ...(answer !== undefined && { answer }),
    ...(stats && { stats }),
  };
}

export function parseRestored({ lines }: MarkdownSection, agent: string): MarkdownRestored {
  const [, , time] = HEADING.exec(lines[0] ?? '') ?? [];
  const { before, answer = '', stats } = parseAnswer(lines.slice(1), agent);
  const context = before.map((line) => CONTEXT.exec(line)).find((match) => match !== null);
  const previous = before
    .map((line) => /^\*\*Previous Session:\*\*\s*(.+)$/.exec(line))
    .find((match) => match !== null);
  const queries = Number(/(\d+) quer/.exec(context?.[2] ?? '')?.[1] ?? Number.NaN);
  const tokens = longCount(/([\d.,]+[KM]?) tokens/.exec(context?.[2] ?? '')?.[1]);
  return {
    answer,
    ...(time && { time }),
    ...(context && { from: context[1]! }),
    ...(Number.isInteger(queries) && { queries }),
    ...(tokens !== undefined && { tokens }),
    ...(previous && { previousSession: previous[1]!.trim() }),
    ...(stats && { stats }),
  };
}

const CONTEXT = /^\*\*Context:\*\*\s*Resumed from (\S+?)(?:\s*\(([^)]*)\))?\s*$/;

/** The agent's words stand last, with a line about time and tokens behind them. */
function parseAnswer(lines: readonly string[], agent: string) {
  const mark = saidBy(agent);
  const at = lines.findIndex((line) => line.startsWith(mark));
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const stats = last > at ? parseStats(lines[last]!) : undefined;
  const end = stats ? last : lines.length;
  if (at < 0) return { before: lines.slice(0, end), stats };
  const answer = said([lines[at]!.slice(mark.length).replace(/^ /, ''), ...lines.slice(at + 1, end)]);
  return { before: lines.slice(0, at), answer: unescapeText(answer, agent), stats };
}

/** The blank line behind a piece is the frame's; any more are its own. */
function said(lines: readonly string[]): string {
  return lines.join('\n').replace(/\n$/, '');
}

function parseStats(line: string): MarkdownStats | undefined {
  const match = /^\*Time: (?:([\d.]+)s|–)(?: \| Tokens: [\d,]+ \(in: ([\d,]+), out: ([\d,]+)\))?\*\s*$/.exec(
    line,
  );
  if (!match) return undefined;
  const [, seconds, input, output] = match;
  const count = (text: string) => Number(text.replaceAll(',', ''));
  return {
    ...(seconds !== undefined && { seconds: Number(seconds) }),
    ...(input !== undefined &&
      output !== undefined && { inputTokens: count(input), outputTokens: count(output) }),
  };
}

function longCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number.parseFloat(text.replaceAll(',', ''));
  if (!Number.isFinite(value)) return undefined;
  return Math.round(value * (text.endsWith('K') ? 1000 : text.endsWith('M') ? 1_000_000 : 1));
}
