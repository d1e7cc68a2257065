import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ShortenSettings } from '../../shorten/index.ts';
import { refused } from '../refused.ts';

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
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(noSuchFile(file));
  return {
    ...(text === undefined ? SHORTEN_DEFAULTS : readSettings(text, file!)),
    ...(maxLines !== undefined && { maxLines }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(keepTurns !== undefined && { keepTurns }),
  };
}

export function noSuchFile(file: string): (error: unknown) => never {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw refused('usage', `There is no file ${file}.`);
    throw error;
  };
}
