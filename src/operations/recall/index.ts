export { readEntries } from './read-entries.ts';
export { recallOriginals } from './recall-originals.ts';
