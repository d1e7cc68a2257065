export { statedLines, withStatedLines } from './with-stated-lines.ts';
