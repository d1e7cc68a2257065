export { listArchiveOperation } from './list-archive.ts';
export { archiveOriginals, restoreOriginalOperation } from './originals.ts';
export { pushArchive } from './push-archive.ts';
export { scrubArchiveOperation } from './scrub-archive.ts';
export { verifyArchiveOperation } from './verify-archive.ts';
