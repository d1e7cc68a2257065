import path from 'node:path';
import { z } from 'zod';
import { storeExists } from '../../store/index.ts';
import type { Machine } from '../app.ts';
import { StoreFileField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';

const Unreadable = z.strictObject({
  session: z.string().optional(),
  seq: z.int().optional(),
  upTo: z
    .int()
    .optional()
    .describe('The last of several entries in a row that were lost for the same reason.'),
  reason: z.string(),
});

export const salvageStore = operation({
  name: 'store/salvage',
  summary:
    'Save what can be read of a damaged store into a new file. The damaged one is only read, and stays as it is.',
  writes: true,
  params: z.strictObject({
    location: StoreFileField,
    target: z.string().min(1).optional().describe('The new file; beside the damaged one unless given.'),
  }),
  result: z.strictObject({
    source: z.string(),
    target: z.string(),
    whole: z.boolean().describe('Nothing was lost.'),
    sessions: z.int(),
    entries: z.int(),
    blobs: z.int(),
    unreadable: z.array(Unreadable),
    bytesLost: z.int().describe('Pages that held only an index are among them.'),
  }),
  faces: { cli: { 'doctor --salvage': 'result' } },
  async run({ location, target: wanted = besides(location) }, _: Machine, { onProgress }) {
    if (!storeExists(location))
      throw refused('usage', `There is no store at ${location}, so there is nothing to salvage.`);
    const target = path.resolve(wanted);
    const { salvageStore: salvage } = await import('../../store/sqlite/index.ts');
    const report = await salvage(location, target, { ...(onProgress && { onProgress }) });
    // Lost bytes alone are no loss: an index is made anew from what it pointed to.
    return { source: location, target, whole: report.unreadable.length === 0, ...report };
  },
});

function besides(location: string): string {
  const { dir, name, ext } = path.parse(location);
  return path.join(dir, `${name}-salvaged${ext || '.db'}`);
}
