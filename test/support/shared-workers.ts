/**
 * Test files of pure rooms, which share a worker and its modules: a separate worker costs a third of a second of computing
 * for each file. Files that spawn processes, change the environment, the clock or globals, or measure loaded modules stay
 * in separate workers; `test/shared-workers.test.ts` holds that.
 */
export const SHARED_WORKERS = [
  'test/record/**/*.test.ts',
  'test/context/**/*.test.ts',
  'test/summary/**/*.test.ts',
  'test/text/**/*.test.ts',
  'test/tokens/**/*.test.ts',
  'test/compaction/{claims,digest,economy,retention,stated}/**/*.test.ts',
  'test/project/{facts,instructions,proposals}/**/*.test.ts',
  'test/transcripts/formats/{claude-code,codex,markdown,pi}/**/*.test.ts',
  'test/transcripts/source/**/*.test.ts',
];
