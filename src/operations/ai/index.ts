export { cancelTurn } from './cancel-turn.ts';
export { continueTurn } from './continue-turn.ts';
export { createAiSession } from './create-ai-session.ts';
export { resumeAiSession } from './resume-ai-session.ts';
export { resumeFromSummary } from './resume-from-summary.ts';
export { sendMessage } from './send-message.ts';
