export { matchName } from './match-name.ts';
export { createMemoryStore } from './memory/index.ts';
export { type OpenStoreOptions, openStore } from './open-store.ts';
export type {
  AppendOptions,
  EntryName,
  Lease,
  LeaseClaim,
  LeaseOwner,
  NewSession,
  Problem,
  PurgeReport,
  ReadRange,
  RebuildReport,
  RewrittenEntry,
  SessionPage,
  SessionQuery,
  Store,
  StoreFacts,
  SweepOptions,
  VerifyReport,
} from './store.ts';
export { storeLocation } from './store-location.ts';
export { tallyEntry } from './tally.ts';
export { wholeBody } from './whole-body.ts';
