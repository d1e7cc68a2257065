import { ThroughlineError } from '../errors.ts';
import { checkArgument, type Entry, equalJson, type Mark, type Target, toEntryId } from '../record/index.ts';
import { retryOnHeadMoved } from '../store/index.ts';
import { marksFor } from './marks-for.ts';
import type { Session } from './session.ts';

/** Keeps entries in the context word for word, through every compaction. */
export const pinEntries = (session: Session, ...targets: Target[]) => markEntries(session, 'pinned', targets);
/** Summaries that were made while it was pinned say nothing of it and are undone. */
export const unpinEntries = (session: Session, ...targets: Target[]) =>
  markEntries(session, 'unpinned', targets);

/**
 * Leaves entries out of the context, also out of summaries: those that speak of them are undone, and the next compaction
 * writes them anew. The entries stay in the log, and `includeEntries` brings them back.
 */
export const excludeEntries = (session: Session, ...targets: Target[]) =>
  markEntries(session, 'excluded', targets);
export const includeEntries = (session: Session, ...targets: Target[]) =>
  markEntries(session, 'included', targets);

/** Puts what a compaction covers back into the context, until it is collapsed again. Opens those that cover it, too. */
export const expandCompactions = (session: Session, ...targets: Target[]) =>
  markEntries(session, 'expanded', targets);
export const collapseCompactions = (session: Session, ...targets: Target[]) =>
  markEntries(session, 'collapsed', targets);

/** What these mean for compactions holds for those that are there, so nothing may come in between. */
const ABOUT_SUMMARIES: ReadonlySet<Mark['mark']> = new Set(['unpinned', 'excluded', 'included', 'expanded']);

/** Appends the mark for each target, and whatever has to be marked with it so that it does what it says. */
export async function markEntries(
  session: Session,
  name: Mark['mark'],
  asked: readonly Target[],
): Promise<Entry[]> {
  checkArgument(session, 'session', { call: `the mark "${name}"` });
  for (const target of asked)
    checkArgument(target, 'object', { call: `the mark "${name}"`, argument: 'target' });
  const targets = asked.map((target) =>
    'entry' in target ? { entry: toEntryId(target.entry) ?? target.entry } : target,
  );
  for (const target of targets) await checkTarget(session, target);
  return retryOnHeadMoved(async () => {
    const info = await session.refresh();
    const found: Mark[] = [];
    for (const target of targets)
      found.push(...(await marksFor(session.store, info, { mark: name, target })));
    const marks = found.filter((one, index) => found.findIndex((other) => equalJson(one, other)) === index);
    return session.append(marks, ABOUT_SUMMARIES.has(name) ? { expectedHead: info.head } : {});
  });
}

/** A mark is about existing entries; one that reached further would hold for whatever comes. */
async function checkTarget(session: Session, target: Target): Promise<void> {
  if ('entry' in target) {
    await session.entry(target.entry);
    return;
  }
  const { id, info } = session;
  if (target.to <= info.head || target.to <= (await session.refresh()).head) return;
  const { head } = session.info;
  throw new ThroughlineError(
    'entry-not-found',
    `Session "${id}" goes up to entry ${head}, so there is no entry ${target.to} to mark.`,
    { details: { session: id, seq: target.to, head } },
  );
}
