import { z } from 'zod';
import type { DescribedLineage, Relative } from '../../branches/index.ts';
import { reachesSession } from '../access.ts';
import type { App } from '../app.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  describedSession,
  SessionDescriptionRecord,
  SessionRecord,
  showSession,
} from '../records/session-record.ts';

const MergeNote = z.strictObject({ branch: z.string(), head: z.int(), seq: z.int(), at: z.number() });

export interface LineageRecord {
  session: SessionRecord;
  branchedAt: number | null;
  entries: number;
  merges: z.infer<typeof MergeNote>[];
  children: LineageRecord[];
}

export const LineageRecord: z.ZodType<LineageRecord> = z
  .strictObject({
    session: SessionRecord,
    branchedAt: z
      .int()
      .nullable()
      .describe("The last entry it shares with its parent, or the parent's newest one when it was resumed."),
    entries: z.int().describe('How many entries are its own.'),
    merges: z.array(MergeNote),
    get children() {
      return z.array(LineageRecord).describe('Oldest first.');
    },
  })
  .meta({ id: 'LineageNode' });

const result = z.strictObject({
  sessionId: z.string(),
  missing: z.string().nullable().describe('The parent that the eldest names, if that was purged.'),
  root: LineageRecord,
});
type Shown = z.output<typeof result>;

const PrintedNode: z.ZodType<Relative> = SessionDescriptionRecord.extend({
  head: z.int(),
  branchedAt: z.int().nullable(),
  entries: z.int(),
  merges: z.array(MergeNote),
  get children() {
    return z.array(PrintedNode);
  },
});

const Printed = z.strictObject({
  session: z.string(),
  missing: z.string().nullable(),
  root: PrintedNode,
}) satisfies z.ZodType<DescribedLineage>;

/** A family in `sessions --tree`: the sessions alone. */
interface PrintedTree extends SessionDescriptionRecord {
  children: PrintedTree[];
}

const PrintedTree: z.ZodType<PrintedTree> = SessionDescriptionRecord.extend({
  get children() {
    return z.array(PrintedTree);
  },
});

function toTree({ session, children }: LineageRecord): PrintedTree {
  return { ...describedSession(session), children: children.map(toTree) };
}

export const showLineage = operation({
  name: 'chat/session/lineage',
  summary: 'The whole family of a session: where it came from, and what was forked, resumed and merged.',
  params: z.strictObject({ sessionId: SessionField }),
  result,
  faces: {
    help: { lineage: 'Show where a session came from and what came of it.' },
    rpc: true,
    cli: {
      lineage: { schema: Printed, of: toPrinted },
      'sessions --tree': { schema: PrintedTree, each: true, of: ({ root }) => toTree(root) },
    },
  },
  async run({ sessionId }, app) {
    const { describeLineage } = await import('../../branches/index.ts');
    const info = await app.find(sessionId);
    const { missing, root } = await describeLineage(app.store, info);
    const shown = (await toNodes(app, root)).find((node) => holds(node, info.id));
    return { sessionId: info.id, missing, root: shown! };
  },
});

/** The members of a family with their fields beside the place in it, as the command line has always printed them. */
function toPrinted({ sessionId, missing, root }: Shown): DescribedLineage {
  const printed = ({ session, children, ...place }: LineageRecord): Relative => ({
    ...describedSession(session),
    head: session.head,
    ...place,
    children: children.map(printed),
  });
  return { session: sessionId, missing, root: printed(root) };
}

/** Relatives out of reach are left out, and their children move up. */
async function toNodes(
  app: App,
  { children, branchedAt, entries, merges, id }: Relative,
): Promise<LineageRecord[]> {
  const below = (await Promise.all(children.map((child) => toNodes(app, child)))).flat();
  const info = await app.store.session(id);
  if (!info || !(await reachesSession(app.store, app.access, info))) return below;
  const notes = merges.map((note) => ({ ...note }));
  return [{ session: await showSession(app, info), branchedAt, entries, merges: notes, children: below }];
}

function holds({ session, children }: LineageRecord, id: string): boolean {
  return session.id === id || children.some((child) => holds(child, id));
}
