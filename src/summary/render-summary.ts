import type { Summary, SummaryLine } from '../record/index.ts';
import { countText } from '../tokens/index.ts';

const SECTIONS = [
  ['Decisions', 'decisions'],
  ['Pending', 'pending'],
  ['Blockers', 'blockers'],
  ['Completed', 'completed'],
  ['Facts', 'facts'],
  ['Topics', 'topics'],
] as const;

/**
 * A summary as text for a model: markdown, the lines that matter most first. With `maxTokens`, lists lose their oldest
 * lines until it fits; the overview and the newest lines stay longest.
 */
export function renderSummary(
  summary: Summary,
  { maxTokens = Number.POSITIVE_INFINITY }: { maxTokens?: number } = {},
): string {
  for (let keep = 1; keep > 0.01; keep *= 0.75) {
    const text = render(summary, keep);
    if (countText(text) <= maxTokens) return text;
  }
  return `## Conversation Summary\n${summary.overview}`;
}

function render(summary: Summary, keep: number): string {
  const newest = <T>(list: readonly T[]) => list.slice(list.length - Math.ceil(list.length * keep));
  const lists = SECTIONS.flatMap(([title, field]) => {
    const lines: readonly SummaryLine[] = newest(summary[field]);
    return lines.length === 0 ? [] : [`### ${title}`, ...lines.map(({ text }) => `- ${text}`)];
  });
  const files = newest(summary.files).map(({ path, operations }) => `- ${path} (${operations.join(', ')})`);
  const ledger = newest(summary.ledger).map(({ kind, text }) => `- ${kind}: ${text}`);
  return [
    '## Conversation Summary',
    ...(summary.background && summary.background !== 'Initial session.' ? [summary.background] : []),
    summary.overview,
    ...lists,
    ...(files.length > 0 ? ['### Files', ...files] : []),
    ...(ledger.length > 0 ? ['### Ledger', ...ledger] : []),
  ].join('\n');
}
