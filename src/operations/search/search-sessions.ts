import { z } from 'zod';
import { idsOf } from '../../memory/index.ts';
import type { Filters, Hit } from '../../recall/index.ts';
import { type SessionInfo, titleOf } from '../../record/index.ts';
import { reachesSession } from '../access.ts';
import type { App } from '../app.ts';
import { Place, Role, SessionField, TagField } from '../fields.ts';
import { operation } from '../operation.ts';
import { reachableOf } from '../session/page-of-sessions.ts';

const SearchHit = z.strictObject({
  session: z.string(),
  title: z.string().describe("The session's."),
  entry: z.string(),
  seq: z.int(),
  role: Role,
  at: z.number(),
  snippet: z.string(),
  score: z.number().describe('Between 0 and 1 within one search.'),
});

const params = z.strictObject({
  query: z.string().max(10_000).describe('Any text; an empty one gives the newest messages.'),
  limit: z.int().min(1).max(100).default(20),
  sessionId: SessionField.optional().describe('Only what one sees in this session.'),
  lineage: SessionField.optional().describe('Only in the family of this session.'),
  project: z
    .string()
    .max(1000)
    .optional()
    .describe('Its id or the start of it, its name, one of its folders, or what sessions call it.'),
  agent: z.string().max(200).optional(),
  tag: TagField.optional(),
  place: Place.optional().describe('Without it everywhere but in the trash.'),
  role: Role.optional(),
  since: z.number().optional().describe('Milliseconds since 1970, included.'),
  until: z.number().optional(),
  file: z.string().max(1000).optional().describe('Only messages that called a tool on this file or folder.'),
  decision: z.boolean().default(false).describe('Only messages that state a choice.'),
  by: z.enum(['both', 'words', 'meaning']).default('both'),
  mark: z
    .tuple([z.string().max(20), z.string().max(20)])
    .default(['', ''])
    .describe('What stands around a match in a snippet.'),
});

export const searchSessions = operation({
  name: 'search',
  summary: 'Finds anything ever said, compacted or not, by words and by meaning. Best first.',
  params,
  result: z.strictObject({
    hits: z.array(SearchHit),
    behind: z
      .strictObject({ done: z.int(), total: z.int() })
      .nullable()
      .describe('How far the index has come, if it is still being made.'),
  }),
  faces: { rpc: true },
  async run({ query, limit, by, mark, ...asked }, app) {
    const filters = await filtersIn(asked, app);
    const { recall, behind } = await (await app.index()).current();
    const known = new Map<string, SessionInfo | undefined>();
    const hits: (Hit & { title: string })[] = [];
    // What is out of reach is left out, so more is asked for until there is enough.
    for (let wanted = limit; ; wanted *= 4) {
      const found = await recall.search(query, { ...filters, by, mark, limit: wanted });
      hits.length = 0;
      for (const hit of found) {
        if (!known.has(hit.session)) known.set(hit.session, await reachable(app, hit.session));
        const info = known.get(hit.session);
        if (info && hits.length < limit) hits.push({ ...hit, title: titleOf(info.state) });
      }
      if (hits.length >= limit || found.length < wanted || app.access.projects === null) break;
    }
    return {
      hits: hits.map(({ session, title, entry, seq, role, at, snippet, score }) => ({
        session,
        title,
        entry,
        seq,
        role,
        at,
        snippet,
        score,
      })),
      behind,
    };
  },
});

async function reachable({ store, access }: App, id: string): Promise<SessionInfo | undefined> {
  const info = await store.session(id);
  return info && (await reachesSession(store, access, info)) ? info : undefined;
}

type Asked = Omit<z.output<typeof params>, 'query' | 'limit' | 'by' | 'mark'>;

async function filtersIn(
  { sessionId, lineage, project, decision, ...rest }: Asked,
  app: App,
): Promise<Filters> {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as Filters),
    ...(sessionId !== undefined && { session: (await app.find(sessionId)).id }),
    ...(lineage !== undefined && { lineage: (await app.find(lineage)).id }),
    ...(project !== undefined && { sessions: await idsOf(app.store, await reachableOf(app, project)) }),
    ...(decision && { decision: true as const }),
  };
}
