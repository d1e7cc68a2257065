export {
  type CheckpointChangeRecord,
  type CheckpointRecord,
  type CheckpointVersionRecord,
  compareVersions,
  getCheckpoint,
  listVersions,
  restoreVersion,
} from './versions.ts';
