export { archiveOriginals } from './archive-originals.ts';
export { listArchive } from './list-archive.ts';
export { pushArchive } from './push-archive.ts';
export { restoreOriginal } from './restore-original.ts';
export { scrubArchive } from './scrub-archive.ts';
export { verifyArchive } from './verify-archive.ts';
