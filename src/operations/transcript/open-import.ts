import { z } from 'zod';
import type { Store } from '../../store/index.ts';
import type { FormatName, KnownFiles } from '../../transcripts/index.ts';
import { refused } from '../refused.ts';

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
