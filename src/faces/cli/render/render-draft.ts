import { type DraftChange, listDraft, type ReviewedDraft } from '../../../compaction/index.ts';
import type { DraftRecord } from '../../../operations/compaction/index.ts';
import type { SessionId } from '../../../record/index.ts';
import { sayCount, sayTokenCount } from '../../../text/index.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { sayRetention } from './render-compaction.ts';

/** A draft to be read, with what can be done with it. */
export function renderDraft(session: SessionId, draft: DraftRecord): string[] {
  const { lost, stale } = draft;
  return [
    ...listDraft(draft).map(visibleText),
    ...(lost.length > 0 ? [`Not in it: ${visibleText(sayLost(lost))}`] : []),
    sayDraft(draft),
    ...(stale ? ['Its entries have changed since it was made, so it cannot be approved.'] : []),
    `Change it: throughline compact ${session} --review, in a terminal`,
    ...sayWays(session),
  ];
}

/** Where a draft is shown that was not made for it. */
export const SAME_DRAFT = 'This is the draft that was there already, as it was left.';

/** How a draft that waits is put in place, taken away, or written anew. */
export function sayWays(session: SessionId): string[] {
  return [
    `Approve it: throughline compact ${session} --approve`,
    `Discard it: throughline compact ${session} --discard`,
    `Write it anew: throughline compact ${session} --review --again`,
  ];
}

const DONE: Readonly<Record<DraftChange['do'], string>> = {
  drop: 'dropped',
  rewrite: 'rewritten',
  add: 'added',
  rescue: 'rescued',
  pin: 'pinned',
  unpin: 'unpinned',
};

/** What a person did to a draft: also that all of it is gone, if the editor wrote something else. */
export function sayChanges(changes: readonly DraftChange[]): string {
  const counts = Map.groupBy(changes, (change) => change.do);
  const said = Object.entries(DONE).flatMap(([done, word]) => {
    const count = counts.get(done as DraftChange['do'])?.length ?? 0;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  return `Lines: ${said.join(', ')}.`;
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
  return `A draft for entries ${covers.from} to ${covers.to}: ${sayCount(messages, 'message')}, ${sayTokenCount(tokensBefore)} → ${sayTokenCount(tokensAfter)} (by ${who}; ${sayRetention(retention)}). The context is as it was.`;
}

const MOST_SHOWN = 12;

function sayLost(lost: ReviewedDraft['lost']): string {
  const shown = lost.slice(0, MOST_SHOWN).map(({ text }) => text);
  const more = lost.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
