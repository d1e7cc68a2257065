export type { FileAnalysis } from './analyse-file.ts';
export {
  type CompactFileOptions,
  compactFile,
  type FileCompaction,
  inspectFile,
  type ShortenStep,
} from './compact-file.ts';
export { readSettings, SETTINGS_BRANCH, SHORTEN_DEFAULTS, type ShortenSettings } from './settings.ts';
export { SHORTENABLE, type SummaryStyle } from './shape.ts';
export { wholeFile } from './whole-file.ts';
