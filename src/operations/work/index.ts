export { compactWorkSession, getWorkCheckpoint, showWorkCheckpoint } from './checkpoints.ts';
export {
  editFeature,
  getFeature,
  listFeatures,
  moveFeatureOperation,
  setFeatureOperation,
} from './features.ts';
export { listStates } from './find-work.ts';
export { exportLayoutOperation, importLayoutOperation } from './layouts.ts';
export { listWorkAgents, writeWorkAgents } from './list-work-agents.ts';
export { addWorkMessage, buildWorkRequestOperation, recordWorkLoop } from './requests.ts';
export {
  createWorkSessionOperation,
  endWorkSession,
  getWorkSession,
  listWorkSessions,
  openWorkSession,
} from './sessions.ts';
export { editTask, getTask, listTasks, moveTaskOperation, setTaskOperation } from './tasks.ts';
export { createWorkDesks, type WorkDesks } from './work-desks.ts';
export { FeatureRecord, TaskRecord, WorkCheckpoint, WorkSessionRecord } from './work-record.ts';
