export type { CheckpointChange, CheckpointRecord, CheckpointVersion } from './checkpoint-record.ts';
export { compareVersions } from './compare-versions.ts';
export { getCheckpoint } from './get-checkpoint.ts';
export { listVersions } from './list-versions.ts';
export { restoreVersion } from './restore-version.ts';
