export { markUnknown } from './mark-unknown.ts';
export { withoutInventions } from './without-inventions.ts';
