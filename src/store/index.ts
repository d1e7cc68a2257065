export { resultCode, retryWhileBusy, sqliteMeaning } from './driver-error.ts';
export { wholeBody } from './entry-format.ts';
export { indexStem } from './files-beside.ts';
export { checkEntries, isHeadMoved, retryOnHeadMoved } from './guard-append.ts';
export { createMemoryStore } from './in-memory/memory-store.ts';
export { keepPrivate, sayExposed } from './keep-private.ts';
export { matchName } from './match-name.ts';
export { type OpenStoreOptions, openStore } from './open-store.ts';
export { storeExists } from './refuse-emptied.ts';
export { sessionExists, sessionIdInvalid } from './session-errors.ts';
export { sessionsNamed } from './sessions-named.ts';
export type {
  AppendOptions,
  EntryName,
  LeaseClaim,
  LeaseOwner,
  NewSession,
  PurgeReport,
  ReadRange,
  RewrittenEntry,
  SessionPage,
  SessionQuery,
  Store,
  StoreFacts,
  SweepOptions,
  VerifyReport,
} from './store.ts';
export { storeFile, storeLocation } from './store-location.ts';
export { tallyEntry } from './tally.ts';
