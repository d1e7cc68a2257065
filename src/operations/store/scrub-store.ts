import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { SessionId } from '../../record/index.ts';
import { mirrorFile } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { Agreeing, App, Machine } from '../app.ts';
import { SessionField } from '../fields.ts';
import { operation, partOf } from '../operation.ts';
import { SecretFields, secretFinder } from '../secret-fields.ts';

const Found = z.strictObject({
  sessions: z
    .array(z.strictObject({ id: z.string(), entries: z.int() }))
    .readonly()
    .describe('Sessions of which entries were changed, or would be.'),
  shared: z
    .array(z.string())
    .readonly()
    .describe('Other sessions that a named fork shares an entry with a secret with: scrub them too.'),
  busy: z
    .array(z.string())
    .readonly()
    .describe('Sessions that another program writes in: left as they were.'),
  secrets: z.int().describe('Different ones.'),
  named: z
    .array(z.string())
    .readonly()
    .describe('Sessions with a secret in the id, which cannot be changed.'),
});
type Found = z.output<typeof Found>;

export const scrubStore = operation({
  name: 'store/scrub',
  summary:
    'Take secrets out of sessions for good: out of the log, what projects know, the search index and transcripts.',
  writes: true,
  params: z.strictObject({
    sessions: z.array(SessionField).min(1).optional().describe('Everything in the store unless given.'),
    ...SecretFields,
    dryRun: z.boolean().default(false).describe('Only look.'),
  }),
  result: z.strictObject({ dryRun: z.boolean(), ...Found.shape }),
  faces: { cli: { scrub: 'result' } },
  async run(
    { sessions, dryRun, ...secrets },
    { store, agree }: Machine & Pick<App, 'store'> & Agreeing<Found>,
    request,
  ) {
    const { scrubStore: scrub } = await import('../../scrub/index.ts');
    const find = await secretFinder(secrets);
    const options = { find, ...(sessions && { sessions }) };
    const found = await scrub(store, { ...options, dryRun: true, ...partOf(request, 'look') });
    if (dryRun || found.sessions.length === 0) return { dryRun, ...found };
    await agree?.(found);
    const ids = found.sessions.map(({ id }) => id);
    const { forgetInIndexes } = await import('../../recall/index.ts');
    // Before and after: once the logs are clean, a stop in between would look like a clean index.
    await forgetInIndexes(store, ids, partOf(request, 'index'));
    const scrubbed = await scrub(store, { ...options, dryRun: false, ...partOf(request, 'scrub') });
    await forgetInIndexes(store, ids, partOf(request, 'index'));
    await writeMirrors(store, ids);
    return { dryRun, ...scrubbed };
  },
});

/** The transcripts beside the store, where there are any. */
async function writeMirrors(store: Store, ids: readonly SessionId[]): Promise<void> {
  const { location } = store.facts;
  const { writeMirror } = await import('../../transcripts/index.ts');
  for (const id of ids) {
    const info = existsSync(mirrorFile(location, id)) ? await store.session(id) : undefined;
    if (info) await writeMirror(store, info, { location });
  }
}
