import { z } from 'zod';
import { isThroughlineError } from '../../errors.ts';
import { openSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type {
  FileOutcome,
  FormatName,
  FoundFile,
  ImportOptions,
  KnownFiles,
} from '../../transcripts/index.ts';
import type { App, Machine } from '../app.ts';
import { Failure, failureOfOperation } from '../failure.ts';
import { type OperationResult, operation } from '../operation.ts';
import { refused } from '../refused.ts';

/** Counts of one session of an imported file, new or not. */
export const ImportRecord = z.strictObject({
  id: z.string().describe('The session that holds the end of the file.'),
  format: z.string(),
  file: z.string(),
  messages: z.int(),
  toolPairs: z.int().describe('Tool calls that have their result.'),
  compactions: z.int(),
  branches: z.int().describe('Forks, for branches of the conversation in the file.'),
  unknownKept: z.int().describe('Lines of an unknown type; they are kept as they are.'),
  damage: z.int().describe('Places where the file is broken.'),
  damageKinds: z.record(z.string(), z.int().optional()),
  added: z.int().describe('Entries that were not in the store before.'),
  settingsLeftOut: z
    .record(z.string(), z.int())
    .optional()
    .describe('Settings that act on this machine and were left out, by name. Not there if there are none.'),
  purged: z.literal(true).optional().describe('The session was purged, so nothing of it was imported.'),
});

/** The files that an import reads. */
export const ImportFields = {
  paths: z.array(z.string().min(1)).min(1).describe('Files and folders.'),
  format: z.string().optional().describe('The format of the files, if their content does not tell.'),
  trust: z
    .boolean()
    .default(false)
    .describe('The files are your own: those in our format bring along every setting of their sessions.'),
};

/** The format of this name; `undefined` if none is named. */
export async function readableFormat(named: string | undefined): Promise<FormatName | undefined> {
  if (named === undefined) return undefined;
  const { FORMAT_NAMES } = await import('../../transcripts/index.ts');
  const format = FORMAT_NAMES.find((name) => name === named);
  if (format === undefined)
    throw refused('usage', `No format "${named}". There are: ${FORMAT_NAMES.join(', ')}.`);
  return format;
}

/** Runs an import into the store, with the list of files that were read before, which is saved whatever happens. */
export async function withKnownFiles<T>(
  store: Store,
  { format: named, trust }: { format?: string | undefined; trust: boolean },
  work: (options: { known: KnownFiles; format?: FormatName; trusted: boolean }) => Promise<T>,
): Promise<T> {
  const format = await readableFormat(named);
  if (store.facts.readOnly)
    throw refused('store-read-only', `Nothing can be imported: ${store.facts.readOnly}`);
  const { openKnownFiles } = await import('../../transcripts/index.ts');
  const known = openKnownFiles(`${store.facts.location}-imports.json`);
  try {
    return await work({ known, trusted: trust, ...(format && { format }) });
  } finally {
    known.save();
  }
}

const Imported = z.strictObject({
  sessions: z.array(ImportRecord),
  skipped: z
    .array(z.strictObject({ file: z.string(), reason: z.enum(['unchanged', 'unknown']) }))
    .describe(
      'Files that have not changed since the last import, and files in folders that are no transcript.',
    ),
  failed: z.array(Failure.extend({ file: z.string() })),
});
type Imported = OperationResult<{ result: typeof Imported }>;

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
          imported.failed.push({ file: file.path, ...failureOfOperation(error, request) });
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
