export type { FileAnalysis } from './analyse-file.ts';
export {
  type CompactFileOptions,
  compactFile,
  type FileCompaction,
  inspectFile,
  type ShortenStep,
} from './compact-file.ts';
export {
  DEFAULTS as SHORTEN_DEFAULTS,
  readSettings,
  SETTINGS_BRANCH,
  type ShortenSettings,
} from './settings.ts';
export { SHORTENABLE, type SummaryStyle } from './shape.ts';
export { wholeFile } from './whole-file.ts';
