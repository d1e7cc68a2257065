export { addMissing } from './add-missing.ts';
export { type HardItem, hardItems } from './hard-items.ts';
export { measureRetention, type Retention } from './measure-retention.ts';
