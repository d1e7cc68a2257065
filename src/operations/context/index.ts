export { isWhatIf } from '../../agent/index.ts';
export { meterContext } from './meter-context.ts';
export { readContextData } from './read-context-data.ts';
export { showContext } from './show-context.ts';
