export { USER_MARK } from './carry-earlier.ts';
export {
  type DigestOptions,
  digestEntries,
  digestVersion,
  LISTED_ELSEWHERE,
  rankedDigest,
} from './digest-entries.ts';
export { asks } from './language/cues.ts';
