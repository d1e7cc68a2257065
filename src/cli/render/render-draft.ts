import { listDraft, type ReviewedDraft } from '../../compaction/index.ts';
import type { DraftRecord } from '../../operations/compaction/index.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { count, sayRetention, tokens } from './render-compaction.ts';

/** A draft to be read, with what can be done with it: `commands` are those of the place where it is shown. */
export function renderDraft(
  draft: DraftRecord,
  commands: { readonly review: string; readonly approve: string; readonly discard: string },
): string[] {
  const { lost, stale } = draft;
  return [
    ...listDraft(draft).map(visibleText),
    ...(lost.length > 0 ? [`Not in it: ${visibleText(sayLost(lost))}`] : []),
    sayDraft(draft),
    ...(stale ? ['Its entries have changed since it was made, so it cannot be approved.'] : []),
    `Change it: ${commands.review}`,
    `Approve it: ${commands.approve}`,
    `Discard it: ${commands.discard}`,
  ];
}

export function sayDraft({
  covers,
  messages,
  tokensBefore,
  tokensAfter,
  by,
  retention,
}: DraftRecord): string {
  const who = by.kind === 'model' ? by.model : 'the digest';
  return `A draft for entries ${covers.from} to ${covers.to}: ${count(messages, 'message')}, ${tokens(tokensBefore)} → ${tokens(tokensAfter)} (by ${who}; ${sayRetention(retention)}). The context is as it was.`;
}

const MOST_SHOWN = 12;

function sayLost(lost: ReviewedDraft['lost']): string {
  const shown = lost.slice(0, MOST_SHOWN).map(({ text }) => text);
  const more = lost.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
