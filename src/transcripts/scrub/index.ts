export { type LookFor, lookFor, type SecretFinder } from '../../text/secrets/index.ts';
export { type ScrubbedSession, type StoreScrub, type StoreScrubOptions, scrubStore } from './scrub-store.ts';
