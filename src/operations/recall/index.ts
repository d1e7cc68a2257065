export { readEntriesOperation, recallOriginals } from './recall-originals.ts';
