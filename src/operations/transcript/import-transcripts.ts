import { z } from 'zod';
import { isThroughlineError } from '../../errors.ts';
import { openSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { FileOutcome, FoundFile, ImportOptions } from '../../transcripts/index.ts';
import type { App, Machine } from '../app.ts';
import { Failure, failureOf } from '../failure.ts';
import { operation, type ResultOf } from '../operation.ts';
import { refused } from '../refused.ts';
import { ImportRecord } from './import-record.ts';
import { ImportFields, withKnownFiles } from './open-import.ts';

const Imported = z.strictObject({
  sessions: z.array(ImportRecord),
  skipped: z
    .array(z.strictObject({ file: z.string(), reason: z.enum(['unchanged', 'unknown']) }))
    .describe(
      'Files that have not changed since the last import, and files in folders that are no transcript.',
    ),
  failed: z.array(Failure.extend({ file: z.string() })),
});
type Imported = ResultOf<{ result: typeof Imported }>;

export const importTranscripts = operation({
  name: 'transcript/import',
  summary:
    'Read the sessions of other agents into the store. Importing again adds only what is new; the files are not changed.',
  writes: true,
  fails: ['transcript-unknown', 'store-read-only'],
  params: z.strictObject(ImportFields),
  result: Imported,
  faces: { cli: { import: 'result' } },
  run: ({ paths, ...how }, machine: Machine & Pick<App, 'store'>, request) =>
    withKnownFiles(machine.store, how, async (options) => {
      const files: FoundFile[] = [];
      for (const path of paths) files.push(...(await filesIn(path)));
      const imported: Imported = { sessions: [], skipped: [], failed: [] };
      const total = files.reduce((sum, { size }) => sum + size, 0);
      let done = 0;
      const onBytes = (bytes: number) => {
        done += bytes;
        request.onProgress?.({ done, total });
      };
      const whole: ImportOptions['whole'] = async (file, format) => {
        const { wholeTranscript } = await import('./find-original.ts');
        return wholeTranscript(file, format, machine);
      };
      for (const file of files) {
        try {
          const { reports, skipped } = await importOne(machine.store, file, { ...options, onBytes, whole });
          imported.sessions.push(...reports);
          if (skipped) imported.skipped.push({ file: file.path, reason: skipped });
        } catch (error) {
          // One bad file among many is reported; alone it is the result.
          if (files.length === 1) throw error;
          imported.failed.push({ file: file.path, ...failureOf(error, request) });
        }
      }
      return imported;
    }),
});

async function filesIn(path: string): Promise<FoundFile[]> {
  const { findFiles } = await import('../../transcripts/index.ts');
  try {
    const files: FoundFile[] = [];
    for await (const file of findFiles([path])) files.push(file);
    return files;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw refused('usage', `There is no file or folder ${path}.`);
    if (code === 'EACCES') throw refused('usage', `${path} may not be read by you. Check its permissions.`);
    throw error;
  }
}

/** A process that was killed a moment ago may have left its lease on a session: opening the session frees it. */
async function importOne(store: Store, file: FoundFile, options: ImportOptions): Promise<FileOutcome> {
  const { importFile } = await import('../../transcripts/index.ts');
  try {
    return await importFile(store, file, options);
  } catch (error) {
    if (!isThroughlineError(error, 'lease-held')) throw error;
    await (await openSession(store, String(error.details.session), { owner: 'Throughline import' })).close();
    return importFile(store, file, options);
  }
}
