export { inFrontOf } from './compactions-over.ts';
export { type Birth, createSession } from './create-session.ts';
export { describeSession, type SessionDescription } from './describe-session.ts';
export { entryAt } from './entry-at.ts';
export { findSession, lookUpSession } from './find-session.ts';
export { type ForkOptions, forkSession } from './fork-session.ts';
export { infoAt, sessionAt } from './info-at.ts';
export {
  hideSession,
  type Labels,
  labelSession,
  restoreSession,
  tagSession,
  titleSession,
  trashSession,
  untagSession,
} from './label-session.ts';
export { type Candidate, type FindOptions, type FitsBy, listCandidates } from './list-candidates.ts';
export { listFitting } from './list-fitting.ts';
export {
  collapseCompactions,
  excludeEntries,
  expandCompactions,
  includeEntries,
  markEntries,
  pinEntries,
  unpinEntries,
} from './mark-entries.ts';
export { mirrorFile } from './mirror-file.ts';
export { nameFits } from './name-fits.ts';
export {
  getOrCreateSession,
  type OpenOrCreateOptions,
  openOrCreateSession,
} from './open-or-create-session.ts';
export { type OpenOptions, openSession } from './open-session.ts';
export { isDead, thisProcess } from './process-identity.ts';
export { purgeSession } from './purge-session.ts';
export { readClosingSummary } from './read-closing-summary.ts';
export {
  type Conversation,
  livingRoots,
  readConversation,
  readFrontier,
  seenRoots,
} from './read-conversation.ts';
export { type Lineage, type LineageNode, readLineage } from './read-lineage.ts';
export { type ResumeOptions, resumeSession } from './resume-session.ts';
export type { Session, SessionMode } from './session.ts';
export { getSession, refuseTrashed, trashedError } from './session-handle.ts';
export { titleInChain } from './title-in-chain.ts';
export { watchSession } from './watch-session.ts';
