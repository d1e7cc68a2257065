import { z } from 'zod';
import { describeLineage, type Relative } from '../../branches/index.ts';
import { reachesSession } from '../access.ts';
import type { App } from '../app.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { SessionRecord } from '../records/session-record.ts';
import { showSession } from '../records/show-session.ts';

export interface LineageNode {
  session: SessionRecord;
  branchedAt: number | null;
  entries: number;
  merges: { branch: string; head: number; seq: number; at: number }[];
  children: LineageNode[];
}

export const LineageNode: z.ZodType<LineageNode> = z
  .strictObject({
    session: SessionRecord,
    branchedAt: z
      .int()
      .nullable()
      .describe("The last entry it shares with its parent, or the parent's newest one when it was resumed."),
    entries: z.int().describe('How many entries are its own.'),
    merges: z.array(z.strictObject({ branch: z.string(), head: z.int(), seq: z.int(), at: z.number() })),
    get children() {
      return z.array(LineageNode).describe('Oldest first.');
    },
  })
  .meta({ id: 'LineageNode' });

export const showLineage = operation({
  name: 'chat/session/lineage',
  summary: 'The whole family of a session: where it came from, and what was forked, resumed and merged.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({
    sessionId: z.string(),
    missing: z.string().nullable().describe('The parent that the eldest names, if that was purged.'),
    root: LineageNode,
  }),
  faces: { rpc: true },
  async run({ sessionId }, app) {
    const info = await app.find(sessionId);
    const { missing, root } = await describeLineage(app.store, info);
    const shown = (await toNodes(app, root)).find((node) => holds(node, info.id));
    return { sessionId: info.id, missing, root: shown! };
  },
});

/** Relatives out of reach are left out, and their children move up. */
async function toNodes(
  app: App,
  { children, branchedAt, entries, merges, id }: Relative,
): Promise<LineageNode[]> {
  const below = (await Promise.all(children.map((child) => toNodes(app, child)))).flat();
  const info = await app.store.session(id);
  if (!info || !(await reachesSession(app.store, app.access, info))) return below;
  const notes = merges.map((note) => ({ ...note }));
  return [{ session: await showSession(app, info), branchedAt, entries, merges: notes, children: below }];
}

function holds({ session, children }: LineageNode, id: string): boolean {
  return session.id === id || children.some((child) => holds(child, id));
}
