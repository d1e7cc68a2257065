export { withoutInventions } from './without-inventions.ts';
