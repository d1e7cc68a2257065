import type { Entry } from '../record/index.ts';

// A summary that another program's model wrote is carried word for word. It is merged with no neighbour, so that it stands as
// it is for as long as there is room; where one is covered all the same, the summary that takes its place has that much
// more room, and goes by whole lines.

/** True for a summary by another program's model, or by a provider of its own accord. One of ours that came back with a file is no such summary. */
export function isForeign({ body }: Entry): boolean {
  return (
    body.kind === 'compaction' &&
    (body.by.kind === 'import' || body.by.kind === 'provider') &&
    !body.summary.overview.includes('## Conversation Summary')
  );
}

/** Tokens of the summaries by other programs' models among these. */
export function foreignTokens(entries: readonly Entry[]): number {
  return entries.filter(isForeign).reduce((sum, { tokens }) => sum + tokens, 0);
}
