import { ThroughlineError } from '../errors.ts';
import type { Entry, Mark, Target } from '../record/index.ts';
import type { Session } from './session.ts';

/** Keeps entries in the context word for word, through every compaction. */
export const pinEntries = (session: Session, ...targets: Target[]) => mark(session, 'pinned', targets);
export const unpinEntries = (session: Session, ...targets: Target[]) => mark(session, 'unpinned', targets);

/** Leaves entries out of the context. They stay in the log, and `includeEntries` brings them back. */
export const excludeEntries = (session: Session, ...targets: Target[]) => mark(session, 'excluded', targets);
export const includeEntries = (session: Session, ...targets: Target[]) => mark(session, 'included', targets);

/** Puts what a compaction covers back into the context, until it is collapsed again. */
export const expandCompactions = (session: Session, ...targets: Target[]) =>
  mark(session, 'expanded', targets);
export const collapseCompactions = (session: Session, ...targets: Target[]) =>
  mark(session, 'collapsed', targets);

async function mark(session: Session, name: Mark['mark'], targets: readonly Target[]): Promise<Entry[]> {
  for (const target of targets) await checkTarget(session, target);
  return session.append(targets.map((target) => ({ kind: 'mark', mark: name, target })));
}

/** A mark says something about what is there; one that reached further would hold for whatever comes. */
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
