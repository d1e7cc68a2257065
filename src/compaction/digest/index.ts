export { type DigestOptions, digestEntries, digestVersion } from './digest-entries.ts';
