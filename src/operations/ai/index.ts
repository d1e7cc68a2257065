export { cancelTurn } from './cancel-turn.ts';
export { compactContext } from './compact-context.ts';
export { continueTurn } from './continue-turn.ts';
export { createAiSession } from './create-ai-session.ts';
export { previewContext } from './preview-compaction.ts';
export { resumeAiSession } from './resume-ai-session.ts';
export { sendMessage } from './send-message.ts';
