export { listTurnRecords, readTurnOperation, retryTurnOperation, steerRunningTurn } from './turns.ts';
