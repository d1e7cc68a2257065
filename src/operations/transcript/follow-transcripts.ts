import { z } from 'zod';
import type { App, Machine } from '../app.ts';
import { type Failure, failureOfOperation } from '../failure.ts';
import { operation } from '../operation.ts';
import { ImportFields, ImportRecord, withKnownFiles } from './import-transcripts.ts';

/** The end of following, and the takers of reports as they come. */
export interface FollowingFiles {
  readonly signal: AbortSignal;
  readonly onImported: (reports: readonly z.output<typeof ImportRecord>[]) => void;
  readonly onFailed: (failure: Failure & { file: string }) => void;
}

export const followTranscripts = operation({
  name: 'transcript/follow',
  summary: 'Keep importing as the files grow, until it is ended.',
  writes: true,
  fails: ['store-read-only'],
  params: z.strictObject(ImportFields),
  result: z.strictObject({ added: z.int().describe('Entries that came in while it followed.') }),
  faces: { cli: { 'import --follow': { lines: ImportRecord } } },
  run: ({ paths, ...how }, { store, ...to }: Machine & Pick<App, 'store'> & FollowingFiles, request) =>
    withKnownFiles(store, how, async (options) => {
      const { followFiles } = await import('../../transcripts/index.ts');
      let added = 0;
      await followFiles(store, paths, {
        ...options,
        signal: to.signal,
        onReports: (reports) => {
          added += reports.reduce((sum, report) => sum + report.added, 0);
          to.onImported(reports);
        },
        onError: (error, { path }) => to.onFailed({ file: path, ...failureOfOperation(error, request) }),
      });
      return { added };
    }),
});
