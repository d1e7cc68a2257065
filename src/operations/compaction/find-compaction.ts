import { z } from 'zod';
import type { CompactionDescription } from '../../compaction/index.ts';
import type { EntryId, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { isShown } from '../access.ts';
import type { App } from '../app.ts';
import { EntryIdField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { AuthorField, Covers, Retention } from '../records/compaction-record.ts';
import { type CompactionNode, type CompactionTree, readCompactionTree } from '../records/compaction-tree.ts';
import { refused } from '../refused.ts';

/** A compaction by its id, and where it is meant. */
export const CompactionFields = {
  id: EntryIdField.describe('The compaction.'),
  sessionId: SessionField.optional().describe(
    'Where it is meant: a fork shares the compactions of its parent. Without it, the session it was made in.',
  ),
};

export interface AddressedCompaction {
  readonly info: SessionInfo;
  readonly tree: CompactionTree;
  readonly node: CompactionNode;
}

/** The compaction that is meant: in the session named, or in the one it was made in. */
export async function findCompactionOperation(
  app: Pick<App, 'store' | 'access' | 'find'>,
  { id, sessionId }: { id: EntryId; sessionId?: string | undefined },
): Promise<AddressedCompaction> {
  const info = sessionId === undefined ? await homeOf(app, id) : await app.find(sessionId);
  const tree = info && (await readCompactionTree(app.store, info));
  const node = tree?.find(id);
  if (!info || !tree || !node)
    throw refused('entry-not-found', `There is no compaction ${id}.`, { compaction: id });
  return { info, tree, node };
}

/** The caller did not name a session, so one that is purged or out of reach is not spoken of. */
async function homeOf(
  { store, access }: Pick<App, 'store' | 'access'>,
  id: EntryId,
): Promise<SessionInfo | undefined> {
  const session = await sessionOf(store, id);
  const info = session === undefined ? undefined : await store.session(session);
  return info && (await isShown(store, access, info)) ? info : undefined;
}

/** Where compactions were made: an id alone says nothing about its session, so that is looked for once. */
const homes = new WeakMap<Store, Map<EntryId, string>>();
const MOST = 10_000;

async function sessionOf(store: Store, id: EntryId): Promise<string | undefined> {
  const known = homes.get(store) ?? new Map<EntryId, string>();
  homes.set(store, known);
  const found = known.get(id) ?? (await search(store, id));
  if (found !== undefined) known.set(id, found);
  if (known.size > MOST) known.delete(known.keys().next().value!);
  return found;
}

async function search(store: Store, id: EntryId): Promise<string | undefined> {
  for (const place of ['active', 'archived', 'trashed'] as const) {
    for (let cursor: string | undefined; ; ) {
      const page = await store.list({ limit: 200, place, ...(cursor !== undefined && { cursor }) });
      for (const info of page.sessions) if (await isHome(store, info, id)) return info.id;
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
  }
  return undefined;
}

/** A fork sees the compactions of its parent too; the one whose own log has it is its home. */
async function isHome(
  store: Store,
  { id: session, parent, state }: SessionInfo,
  id: EntryId,
): Promise<boolean> {
  if (state.roots.length === 0) return false;
  const entry = await store.entry(session, id);
  return entry?.body.kind === 'compaction' && entry.seq > (parent?.relation === 'fork' ? parent.seq : 0);
}

export const NumberedCompaction = z.strictObject({
  id: z.string(),
  number: z.int().describe('From 1, in the order they were made; people may give it instead of the id.'),
  level: z.int(),
  covers: Covers,
  children: z.array(z.string()).readonly(),
  tokensBefore: z.int(),
  tokensAfter: z.int(),
  by: AuthorField,
  retention: Retention,
  at: z.number(),
  status: z
    .enum(['collapsed', 'expanded', 'covered', 'removed'])
    .describe(
      '`collapsed`: the model sees its summary. `covered`: a higher one stands in for it. `removed`: undone for good.',
    ),
});
export type NumberedCompaction = z.output<typeof NumberedCompaction>;

const printed = {
  schema: z.array(NumberedCompaction),
  of: ({ compactions }: { readonly compactions: readonly NumberedCompaction[] }) => compactions,
};

export const numberCompactions = operation({
  name: 'session/compactions',
  summary: 'The compactions of a session, numbered in the order they were made; removed ones are among them.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({ compactions: z.array(NumberedCompaction) }),
  faces: { cli: { 'expand <session>': printed, 'collapse <session>': printed } },
  async run({ sessionId }, { store, find }) {
    const { listCompactions } = await import('../../compaction/index.ts');
    return { compactions: (await listCompactions(store, await find(sessionId))).map(toNumbered) };
  },
});

export function toNumbered({ by, ...compaction }: CompactionDescription): NumberedCompaction {
  return { ...compaction, by: { ...by } };
}
