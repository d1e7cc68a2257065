export { readTurn } from './get-turn.ts';
export { listTurnRecords } from './list-turns.ts';
export { retryTurn } from './retry-turn.ts';
export { steerRunningTurn } from './steer-turn.ts';
