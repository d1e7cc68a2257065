export { compactFiles } from './compact-files.ts';
export { exportTranscript } from './export-transcript.ts';
export { type Following, followTranscripts } from './follow-transcripts.ts';
export { handOver } from './hand-over.ts';
export { identifyFile } from './identify-file.ts';
export { importTranscripts } from './import-transcripts.ts';
export { listAgentHomes } from './list-agent-homes.ts';
export { mirrorSession } from './mirror-session.ts';
export { readableFormat } from './open-import.ts';
