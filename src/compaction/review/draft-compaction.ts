import type { Session } from '../../session/index.ts';
import type { CompactOptions } from '../compact-options.ts';
import { draftSummary, prepare } from '../compact-session.ts';
import type { Fit } from '../fit-load.ts';
import { notingUnused } from '../note-unused.ts';
import { throwIfCancelled } from '../summarise-range.ts';
import { readDraft, type SummaryDraft } from './read-draft.ts';
import { draftDocument, sourceOfLine } from './stored-draft.ts';

/**
 * Plans and summarises like `compactSession`, and keeps what comes of it as the session's draft, in the place of an earlier
 * one: the context stays as it is. What it cost stands with the draft, and is in the ledger whether it is approved or not.
 */
export async function draftCompaction(
  session: Session,
  options: CompactOptions = {},
  how: { readonly fit?: Fit } = {},
): Promise<SummaryDraft> {
  const { plan, ...known } = await prepare(session, options, how);
  await notingUnused(session, options, async (onUsage) => {
    const draft = await draftSummary(plan, known, { ...options, onUsage });
    throwIfCancelled(options.signal);
    const { summary, by, failures, usage, call } = draft;
    const content = {
      summary,
      covers: plan.covers,
      source: sourceOfLine(plan.entries),
      messages: plan.entries.filter(({ body }) => body.kind !== 'compaction').length,
      tokensBefore: plan.tokensBefore,
      by,
      failures: [...failures],
      ...(options.instructions !== undefined && { instructions: options.instructions }),
      ...(call && { call }),
    };
    const model = by.model ?? options.summariser?.name;
    await session.append([draftDocument(content, { usage, model })]);
  });
  return (await readDraft(session))!;
}
