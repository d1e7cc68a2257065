import { z } from 'zod';
import { type SessionInfo, titleOf } from '../../record/index.ts';
import type { Filters, Hit, Recall } from '../../search/index.ts';
import { reachesSession } from '../access.ts';
import type { App } from '../app.ts';
import { RoleField } from '../fields.ts';
import { operation } from '../operation.ts';
import { pageOfSessions } from '../session/list-sessions.ts';
import { Behind, FilterFields, filtersIn } from './filter-fields.ts';

const SearchHit = z.strictObject({
  session: z.string(),
  title: z.string().describe("The session's."),
  entry: z.string(),
  seq: z.int(),
  role: RoleField,
  at: z.number(),
  snippet: z.string(),
  score: z.number().describe('Between 0 and 1 within one search.'),
  alike: z.int().describe('How many more messages are nearly copies of it.'),
});
export type SearchHit = z.output<typeof SearchHit>;

const FoundSession = z.strictObject({
  id: z.string(),
  title: z.string(),
  project: z.string().nullable(),
  agent: z.string().nullable(),
  tags: z.array(z.string()),
  updatedAt: z.number(),
  by: z
    .enum(['name', 'file'])
    .describe(
      '`name`: its title, tags, project or agent; `file`: a tool was called in it on the file that the query names.',
    ),
});

/** Of each kind. */
const MOST_SESSIONS = 5;

const PrintedHit = SearchHit.omit({ title: true, at: true, alike: true });

export const searchSessions = operation({
  name: 'search',
  summary:
    'Finds anything ever said, compacted or not, by words and by meaning, and sessions by what they are called or which files they worked on. Best first.',
  params: z.strictObject({
    query: z.string().max(100_000).describe('Any text; an empty one gives the newest messages.'),
    limit: z.int().min(1).max(10_000).default(20),
    ...FilterFields.shape,
    by: z.enum(['both', 'words', 'meaning']).default('both'),
    mark: z
      .tuple([z.string().max(20), z.string().max(20)])
      .default(['', ''])
      .describe('What stands around a match in a snippet.'),
    snippetLength: z.int().min(10).max(10_000).optional().describe('In characters, about.'),
    openOnly: z
      .boolean()
      .default(false)
      .describe('Without messages that were excluded or removed where they were said.'),
  }),
  result: z.strictObject({
    hits: z.array(SearchHit),
    more: z.boolean().describe('There are more hits than these.'),
    loose: z.boolean().describe('No message holds what is in quotes: these were found without the quotes.'),
    sessions: z
      .array(FoundSession)
      .describe(
        'Sessions whose title, tags, project or agent have every word of the query, then those that worked on the file that it names; newest first.',
      ),
    behind: Behind,
  }),
  faces: {
    help: { search: 'Find what was said, in all sessions, by words and by meaning.' },
    rpc: true,
    cli: {
      search: {
        schema: z.array(PrintedHit),
        of: ({ hits }) =>
          hits.map(({ session, entry, seq, role, snippet, score }) => ({
            session,
            entry,
            seq,
            role,
            snippet,
            score,
          })),
      },
    },
    mcp: ['search'],
  },
  async run({ query, limit, by, mark, snippetLength, openOnly, ...asked }, app) {
    const options = {
      ...(await filtersIn(asked, app)),
      by,
      mark,
      collapse: true,
      now: Date.now(),
      ...(snippetLength !== undefined && { snippetLength }),
    };
    const { recall, behind } = await (await app.index()).current();
    const { searchOpen } = await import('../../search/index.ts');
    const known = new Map<string, SessionInfo | undefined>();
    const hits: (Hit & { title: string })[] = [];
    // Hits out of reach are left out, so more is asked for until there is enough.
    for (let wanted = limit + 1; ; wanted *= 4) {
      const found = openOnly
        ? await searchOpen(app.store, recall, query, { ...options, limit: wanted })
        : await recall.search(query, { ...options, limit: wanted });
      hits.length = 0;
      for (const hit of found) {
        if (!known.has(hit.session)) known.set(hit.session, await reachable(app, hit.session));
        const info = known.get(hit.session);
        if (info && hits.length <= limit) hits.push({ ...hit, title: titleOf(info.state) });
      }
      if (hits.length > limit || found.length < wanted || app.access.projects === null) break;
    }
    return {
      hits: hits
        .slice(0, limit)
        .map(({ session, title, entry, seq, role, at, snippet, score, alike = 0 }) => ({
          session,
          title,
          entry,
          seq,
          role,
          at,
          snippet,
          score,
          alike,
        })),
      more: hits.length > limit,
      loose: hits.some(({ loose }) => loose),
      sessions: asksForMessages(asked)
        ? []
        : foundSessions([
            ['name', await sessionsCalled(app, query, { ...asked, most: MOST_SESSIONS })],
            [
              'file',
              await sessionsOnFile(recall, query, {
                filters: options,
                most: MOST_SESSIONS,
                open: (id) => reachable(app, id),
              }),
            ],
          ]),
      behind,
    };
  },
});

/** Fields that single messages have; only those are asked for then. */
function asksForMessages({ decision, project, agent, tag, place, ...others }: z.output<typeof FilterFields>) {
  return decision || Object.values(others).some((value) => value !== undefined);
}

/** Each session once, by the first kind that has it. */
function foundSessions(kinds: readonly (readonly ['name' | 'file', readonly SessionInfo[]])[]) {
  const found = new Map<string, z.output<typeof FoundSession>>();
  for (const [by, sessions] of kinds)
    for (const { id, state, updatedAt } of sessions) {
      const { project, agent } = state.settings;
      if (found.has(id)) continue;
      found.set(id, {
        id,
        title: titleOf(state),
        project: typeof project === 'string' ? project : null,
        agent: typeof agent === 'string' ? agent : null,
        tags: [...state.tags],
        updatedAt,
        by,
      });
    }
  return [...found.values()];
}

async function reachable({ store, access }: App, id: string): Promise<SessionInfo | undefined> {
  const info = await store.session(id);
  return info && (await reachesSession(store, access, info)) ? info : undefined;
}

/** A longer query is not the name of a session. */
const LONGEST = 120;

/** Sessions whose title, tags, project or agent have every word of the query. */
async function sessionsCalled(
  app: App,
  query: string,
  { project, agent, tag, place, most }: z.output<typeof FilterFields> & { readonly most: number },
): Promise<SessionInfo[]> {
  const find = query.replace(/["“”*]/g, ' ').trim();
  if (find === '' || find.length > LONGEST) return [];
  const narrowing = {
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
    ...(tag !== undefined && { tag }),
  };
  const found: SessionInfo[] = [];
  for (const where of place === undefined ? (['active', 'archived'] as const) : [place]) {
    const page = await pageOfSessions(app, { ...narrowing, find, labels: true, place: where, limit: most });
    found.push(...page.sessions);
  }
  return found.slice(0, most);
}

/** Calls that are looked through, newest first: a file may have been edited many times in one session. */
const MOST_CALLS = 200;
/** One name with an ending, or one path. */
const PATH = /^(?=.*\w)(?!\w+:\/\/)[^\s"]*(?:[/\\][^\s"]+|[^\s".]\.[A-Za-z]\w{0,7})$/u;

/** Sessions in which a tool was called on the file that the query names; the newest call first. */
async function sessionsOnFile(
  recall: Recall,
  query: string,
  { filters, most, open }: Looking,
): Promise<SessionInfo[]> {
  const file = query.replace(/["“”]/g, '').trim();
  if (!PATH.test(file)) return [];
  const calls = await recall.search('', { ...filters, file, limit: MOST_CALLS });
  const found: SessionInfo[] = [];
  for (const id of new Set(calls.map(({ session }) => session))) {
    const info = await open(id);
    if (info) found.push(info);
    if (found.length >= most) break;
  }
  return found;
}

interface Looking {
  readonly filters: Filters;
  readonly most: number;
  /** Absent for a session that the caller does not reach. */
  readonly open: (id: string) => Promise<SessionInfo | undefined>;
}
