export { compactFiles } from './compact-files.ts';
export { exportTranscript, mirrorSession } from './export-transcript.ts';
export { type FollowingFiles, followTranscripts } from './follow-transcripts.ts';
export { handOver } from './hand-over.ts';
export { identifyFile } from './identify-file.ts';
export { importTranscripts, readableFormat } from './import-transcripts.ts';
export { listAgentHomes } from './list-agent-homes.ts';
