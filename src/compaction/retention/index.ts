export { addMissing } from './add-missing.ts';
export { findCode, findNames } from './find-names.ts';
export { type HardItem, hardItems } from './hard-items.ts';
export { measureRetention, type Retention } from './measure-retention.ts';
