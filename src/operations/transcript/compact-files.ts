import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type ErrorCode, isThroughlineError, ThroughlineError } from '../../errors.ts';
import type { GitBranch, Original } from '../../transcripts/archive/index.ts';
import type { FileCompaction, ShortenSettings } from '../../transcripts/shorten/index.ts';
import type { Machine } from '../app.ts';
import {
  type ArchiveTarget,
  openArchive,
  openGitArchive,
  PlaceFields,
  vaultKey,
} from '../archive/open-archive.ts';
import { ArchivedRecord, PushedRecord } from '../archive/originals.ts';
import { Failure, failureOfOperation } from '../failure.ts';
import { UsageField } from '../fields.ts';
import { operation, type Request } from '../operation.ts';
import { AuthorField } from '../records/compaction-record.ts';
import { refused } from '../refused.ts';
import { findOriginalOperation } from './find-original.ts';
import { openSummariser } from './open-summariser.ts';

/** Which files are shortened, and how much of them. */
const ShortenFields = {
  maxLines: z.int().min(0).optional().describe('Only files with more lines than this …'),
  maxTokens: z.int().min(0).optional().describe('… or with more tokens than this.'),
  keepTurns: z.int().min(0).optional().describe('Turns that stay as they are.'),
  settings: z.string().optional().describe('A settings file with a `sessionManagement` block.'),
};
const Fields = z.object(ShortenFields);

/** The fields that are given, then the settings file, then the defaults. */
async function shortenSettings({
  maxLines,
  maxTokens,
  keepTurns,
  settings: file,
}: z.output<typeof Fields>): Promise<ShortenSettings> {
  const { readSettings, SHORTEN_DEFAULTS } = await import('../../transcripts/shorten/index.ts');
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(fileTrouble(file));
  return {
    ...(text === undefined ? SHORTEN_DEFAULTS : readSettings(text, file!)),
    ...(maxLines !== undefined && { maxLines }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(keepTurns !== undefined && { keepTurns }),
  };
}

/** What the system says of a file, as something that can be done about it. */
const TROUBLES: Readonly<Record<string, (file: string) => readonly [ErrorCode, string]>> = {
  ENOENT: (file) => ['usage', `There is no file ${file}.`],
  EISDIR: (file) => ['usage', `${file} is a folder. Name the files in it.`],
  ELOOP: (file) => ['usage', `${file} is a link that leads to itself.`],
  EACCES: notYours,
  EPERM: notYours,
  EROFS: (file) => ['usage', `${file} is on a disk that can only be read. It was left as it is.`],
  ENOSPC: noRoom,
  EDQUOT: noRoom,
};

function notYours(file: string): readonly [ErrorCode, string] {
  return ['usage', `${file}, or the folder it is in, is not yours to read and write. Check its permissions.`];
}

function noRoom(file: string): readonly [ErrorCode, string] {
  return ['store-full', `The disk of ${file} is full. It was left as it is. Free some room, then try again.`];
}

/** The file is named as it was given; another one, such as a temporary file, as the system names it. */
function fileTrouble(given: string): (error: unknown) => never {
  return (error) => {
    const { code = '', path: of = given } = error as NodeJS.ErrnoException;
    const trouble = TROUBLES[code];
    if (!trouble || isThroughlineError(error)) throw error;
    const file = of.includes(path.basename(given)) ? given : of;
    const [meaning, message] = trouble(file);
    throw new ThroughlineError(meaning, message, { cause: error, details: { location: file } });
  };
}

const Analysis = z.strictObject({
  lines: z.int(),
  messages: z.int(),
  user: z.int(),
  assistant: z.int(),
  toolResults: z.int(),
  tokens: z.int(),
  oldTurns: z.int(),
  recentTurns: z.int(),
  headerLines: z.int(),
  otherLines: z.int().describe('Lines that are neither; they are kept.'),
  compactions: z.int(),
});

const FileRecord = z.strictObject({
  file: z.string(),
  format: z.string(),
  analysis: Analysis,
  outcome: z.enum(['shortened', 'left']),
  reason: z
    .enum(['disabled', 'short', 'few-turns', 'no-gain', 'model-failed'])
    .optional()
    .describe('Why it was left alone.'),
  linesAfter: z.int(),
  bytesBefore: z.int(),
  bytesAfter: z.int(),
  summary: z.string().optional(),
  by: AuthorField.optional(),
  failures: z
    .array(z.strictObject({ by: z.string(), reason: z.string(), code: z.string().optional() }))
    .readonly()
    .optional()
    .describe('Attempts before, and why their summaries were not used.'),
  usage: UsageField.optional().describe('Of the calls to the model, also for a summary that was not used.'),
  archived: ArchivedRecord.optional(),
  elided: z
    .int()
    .optional()
    .describe('Tool results whose output was left out: there were too few old turns to summarise.'),
  steps: z
    .int()
    .optional()
    .describe(
      'Tool results of a long turn that were summarised; its request stands whole behind the summary.',
    ),
  remade: z
    .literal(true)
    .optional()
    .describe('The summary was made again, from the archived original: the one before was by the digest.'),
});

const Compacted = z.strictObject({
  files: z.array(FileRecord),
  failed: z.array(Failure.extend({ file: z.string() })),
  pushed: z.array(PushedRecord).optional(),
  notPushed: z
    .array(Failure.extend({ archive: z.string() }))
    .optional()
    .describe('Archives that are still only on this machine.'),
  digestBecause: z.string().optional().describe('Why the model of the settings is not used.'),
});
type Compacted = z.output<typeof Compacted>;

const { folder: _, ...place } = PlaceFields;
const Params = z.strictObject({
  files: z.array(z.string().min(1)).min(1),
  ...ShortenFields,
  ...place,
  model: z.string().optional().describe('The model that writes summaries; the embedded digest unless given.'),
  orDigest: z
    .boolean()
    .default(false)
    .describe('If the model fails, the digest writes the summary; otherwise the file is left alone.'),
  style: z
    .enum(['own', 'pair'])
    .default('own')
    .describe("The program's own compaction, or a pair of messages."),
  dryRun: z.boolean().default(false).describe('Only look.'),
  evenIfOpen: z.boolean().default(false).describe('Also if a program has the file open.'),
  redact: z.boolean().default(true).describe('Take secrets out of what is archived.'),
  vault: z.boolean().default(true).describe('Keep those secrets beside the archive.'),
  push: z.string().optional().describe('The remote to send the archives to.'),
});
type Params = z.output<typeof Params>;

export const compactFiles = operation({
  name: 'transcript/compact',
  summary:
    'Shorten transcripts of other agents where they lie. The original goes to the archive first; headers, unknown lines and recent turns stay to the byte, and the program that owns the file can go on with it.',
  writes: true,
  params: Params,
  result: Compacted,
  faces: { cli: { 'compact-file': 'result' } },
  async run(params, machine: Machine, request) {
    const settings = await shortenSettings(params);
    if (params.push !== undefined && params.github !== undefined)
      throw refused('usage', 'What is at GitHub need not be pushed there.');
    if (!params.dryRun) return compactAll(params, settings, { machine, request });
    const { inspectFile } = await import('../../transcripts/shorten/index.ts');
    return eachFile(params.files, (file) => inspectFile(file, settings), request);
  },
});

async function compactAll(
  { files, style, evenIfOpen, redact, vault, push, orDigest, ...params }: Params,
  settings: ShortenSettings,
  { machine, request }: { machine: Machine; request: Request },
): Promise<Compacted & { digestBecause?: string }> {
  const { compactFile } = await import('../../transcripts/shorten/index.ts');
  const { archiveOriginal } = await import('../../transcripts/archive/index.ts');
  const { summariser, digestBecause } = await openSummariser(params.model, settings.model, { orDigest });
  const { repo, github, branch = settings.branch } = params;
  const written = new Map<string, GitBranch>();
  const archive = async (folder: string, original: Original) => {
    const near: ArchiveTarget = { repo, github, branch, folder };
    const options = { redact, vault, vaultKey: vaultKey(machine) };
    if (push === undefined) return archiveOriginal(await openArchive(near, machine), original, options);
    const here = await openGitArchive(near, machine);
    const archived = await archiveOriginal(here, original, options);
    written.set(here.gitDir, here);
    return archived;
  };
  const work = (file: string) =>
    compactFile(file, {
      ...settings,
      style,
      evenIfOpen,
      orDigest,
      ...(summariser && { summariser }),
      original: (sha256) =>
        findOriginalOperation(
          sha256,
          { repo, github, branch, folder: path.dirname(path.resolve(file)) },
          machine,
        ),
      archive: (original) => archive(path.dirname(path.resolve(file)), original),
    });
  const outcome = { ...(await eachFile(files, work, request)), ...(digestBecause && { digestBecause }) };
  if (push === undefined) return outcome;
  return { ...outcome, ...(await pushAll([...written.values()], push, request)) };
}

/** One bad file among many is reported; alone it is the result. */
async function eachFile(
  files: readonly string[],
  work: (file: string) => Promise<FileCompaction>,
  request: Request,
): Promise<Pick<Compacted, 'files' | 'failed'>> {
  const done: FileCompaction[] = [];
  const failed: Compacted['failed'] = [];
  for (const file of files) {
    try {
      done.push(await work(file).catch(fileTrouble(file)));
    } catch (error) {
      if (files.length === 1) throw error;
      failed.push({ file, ...failureOfOperation(error, request) });
    }
    request.onProgress?.({ done: done.length + failed.length, total: files.length });
  }
  return { files: done, failed };
}

/** The originals are archived by now, so one archive that could not be sent does not stop the others. */
async function pushAll(
  branches: readonly GitBranch[],
  remote: string,
  request: Request,
): Promise<Required<Pick<Compacted, 'pushed' | 'notPushed'>>> {
  const { pushBranch } = await import('../../transcripts/archive/index.ts');
  const pushed: z.output<typeof PushedRecord>[] = [];
  const notPushed: (Failure & { archive: string })[] = [];
  for (const branch of branches) {
    try {
      pushed.push(await pushBranch(branch, { remote }));
    } catch (error) {
      notPushed.push({ archive: branch.name, ...failureOfOperation(error, request) });
    }
  }
  return { pushed, notPushed };
}
