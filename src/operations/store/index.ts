export { checkStore } from './check-store.ts';
export { salvageStore } from './salvage-store.ts';
export { scrubStore } from './scrub-store.ts';
