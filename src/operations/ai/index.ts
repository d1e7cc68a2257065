export { resumeFromSummary } from './resume-from-summary.ts';
export { createAiSession, resumeAiSession } from './sessions.ts';
export { cancelTurn, continueTurnOperation, sendMessage } from './turns.ts';
