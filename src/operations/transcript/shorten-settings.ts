import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type ErrorCode, isThroughlineError, ThroughlineError } from '../../errors.ts';
import type { ShortenSettings } from '../../shorten/index.ts';

/** Which files are shortened, and how much of them. */
export const ShortenFields = {
  maxLines: z.int().min(0).optional().describe('Only files with more lines than this …'),
  maxTokens: z.int().min(0).optional().describe('… or with more tokens than this.'),
  keepTurns: z.int().min(0).optional().describe('Turns that stay as they are.'),
  settings: z.string().optional().describe('A settings file with a `sessionManagement` block.'),
};
const Fields = z.object(ShortenFields);

/** The fields that are given, then the settings file, then the defaults. */
export async function shortenSettings({
  maxLines,
  maxTokens,
  keepTurns,
  settings: file,
}: z.output<typeof Fields>): Promise<ShortenSettings> {
  const { readSettings, SHORTEN_DEFAULTS } = await import('../../shorten/index.ts');
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
export function fileTrouble(given: string): (error: unknown) => never {
  return (error) => {
    const { code = '', path: of = given } = error as NodeJS.ErrnoException;
    const trouble = TROUBLES[code];
    if (!trouble || isThroughlineError(error)) throw error;
    const file = of.includes(path.basename(given)) ? given : of;
    const [meaning, message] = trouble(file);
    throw new ThroughlineError(meaning, message, { cause: error, details: { location: file } });
  };
}
