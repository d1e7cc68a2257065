import { z } from 'zod';
import type { SessionInfo } from '../../record/index.ts';
import { listFitting, nameFits } from '../../session/index.ts';
import type { SessionPage, SessionQuery } from '../../store/index.ts';
import { findReachable, reachesSession } from '../access.ts';
import type { App } from '../app.ts';
import { NarrowingFields, Place, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  describedSession,
  SessionDescriptionRecord,
  SessionRecord,
  showSession,
} from '../records/session-record.ts';

export const listSessionsOperation = operation({
  name: 'chat/session/list',
  summary: 'Sessions, the one with the newest message first, a page at a time.',
  params: z.strictObject({
    limit: z.int().min(1).max(200).default(50),
    cursor: z.string().max(1000).optional().describe('From the previous page.'),
    place: Place.default('active').describe('Where to look: in the list, among the hidden, or in the trash.'),
    project: NarrowingFields.project,
    find: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Words that are part of the title or of a tag, whatever their case and accents.'),
    tag: NarrowingFields.tag,
    agent: NarrowingFields.agent,
    spoken: z
      .boolean()
      .default(false)
      .describe('Without sessions in which nothing was said and that were given no title.'),
    parent: SessionField.optional().describe('Only what was forked or resumed from this session.'),
  }),
  result: z.strictObject({
    sessions: z.array(SessionRecord),
    cursor: z.string().nullable().describe('For the next page; `null` on the last.'),
  }),
  faces: {
    help: { sessions: 'List sessions, newest first.' },
    rpc: true,
    cli: {
      sessions: {
        schema: z.array(SessionDescriptionRecord),
        of: ({ sessions }) => sessions.map(describedSession),
      },
    },
    mcp: ['sessions'],
  },
  async run({ parent, cursor, project, find, tag, agent, ...query }, app) {
    const page = await pageOfSessions(app, {
      ...query,
      ...(cursor !== undefined && { cursor }),
      ...(project !== undefined && { project }),
      ...(find !== undefined && { find }),
      ...(tag !== undefined && { tag }),
      ...(agent !== undefined && { agent }),
      ...(parent !== undefined && { parent: (await app.find(parent)).id }),
    });
    const sessions = await Promise.all(page.sessions.map((info) => showSession(app, info)));
    return { sessions, cursor: page.cursor ?? null };
  },
});

type Reaching = Pick<App, 'store' | 'access'>;

/** A page of the sessions that the caller reaches, that belong to the project, and that are called so. */
export async function pageOfSessions(
  app: Reaching,
  {
    project,
    find,
    labels = false,
    spoken = false,
    ...query
  }: SessionQuery & {
    readonly find?: string;
    /** The query may also be the project or the agent. */
    readonly labels?: boolean;
    readonly spoken?: boolean;
  },
): Promise<SessionPage> {
  const { store, access } = app;
  if (project === undefined && find === undefined && !spoken && access.projects === null)
    return store.list(query);
  const isOfProject = project === undefined ? () => true : await reachableOf(app, project);
  const isCalled = find === undefined ? () => true : nameFits(find, { labels });
  const reaches = reachByLabel(app);
  return listFitting(
    store,
    query,
    async (info) =>
      (!spoken || !isSilent(info)) && isCalled(info) && isOfProject(info) && (await reaches(info)),
  );
}

/** Nothing was said in it. One that was given a title is meant for something; a resumed one has the title of the one before. */
function isSilent({ totals, state }: SessionInfo): boolean {
  return totals.messages === 0 && (state.restoration !== undefined || state.title === undefined);
}

/** Tells the sessions of a project within reach. Whether each of them is within reach, too, is asked apart. */
export async function reachableOf({ store, access }: Reaching, project: string) {
  // A plain list starts without the module of projects.
  const { ofProject } = await import('../../project/index.ts');
  return ofProject(store, project, { find: (reference) => findReachable(store, access, reference) });
}

/** The reach of a session depends on the label of its project, so it is asked once for each label. */
function reachByLabel({ store, access }: Reaching) {
  const known = new Map<unknown, Promise<boolean>>();
  return (info: SessionInfo): Promise<boolean> => {
    const { project: label } = info.state.settings;
    const reaches = known.get(label) ?? reachesSession(store, access, info);
    known.set(label, reaches);
    return reaches;
  };
}
