export { readEntries } from './read-entries.ts';
