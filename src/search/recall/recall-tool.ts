import { z } from 'zod';
import { cutText } from '../../context/index.ts';
import { ThroughlineError } from '../../errors.ts';
import { belongsTo, type IsOfProject, idsOf, projectOfSession } from '../../project/index.ts';
import {
  type Entry,
  isHidden,
  type Markable,
  Role,
  type Seq,
  type SessionId,
  type SessionInfo,
  type SessionState,
} from '../../record/index.ts';
import { getSession, type LineageNode, readFrontier, readLineage } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { readPart } from '../../text/index.ts';
import type { Filters, Hit, Recall, SearchOptions } from '../recall.ts';
import { readForebears } from './forebears.ts';
import { parseEntry, parseSpan } from './parse-asked.ts';
import { readOriginals } from './read-originals.ts';
import { renderHits, renderOriginals } from './render-found.ts';

export interface RecallToolOptions {
  readonly store: Store;
  /** An open index, or what opens it at the first call. */
  readonly recall: Recall | (() => Promise<Recall>);
  /** The session that the agent works in. */
  readonly session: SessionId;
  /** Defaults to its family. */
  readonly reach?: Reach;
  /** Of one answer. Defaults to 2,000. */
  readonly maxTokens?: number;
  /** The rules that the index was made under, for texts that are read from the log. */
  readonly redact?: (text: string) => string;
}

/** Can be handed to the AI SDK as it is: `tools: { recall: createRecallTool(…) }`. */
export interface RecallTool {
  readonly name: 'recall';
  readonly description: string;
  readonly inputSchema: typeof RecallInput;
  readonly execute: (input: RecallInput) => Promise<string>;
  /** It only reads: a turn that was interrupted may ask it again. */
  readonly repeatable: true;
}

const DESCRIPTION = `Searches everything that was ever said in this conversation, also what was summarised and is no longer in front of you, and reads it word for word.
To search, give "query": words, names, paths, or a question. Each hit has a number.
To read, give "entry": the number (or id) of a hit or of any other entry, with "around" to read the messages before and after it.
Use it before you say that you do not know or do not remember something, and before you rely on a detail of a summary.`;

const RecallInput = z.object({
  query: z
    .string()
    .max(2000)
    .optional()
    .describe('What to look for. "Quoted words" have to be there exactly.'),
  role: Role.optional().describe('Only what this one said.'),
  since: z.string().optional().describe('Only from this time on, as 2025-05-08 or 2025-05-08T14:00:00Z.'),
  until: z.string().optional().describe('Only up to this time; a day counts to its end.'),
  file: z.string().optional().describe('Only messages that called a tool on this file or folder.'),
  limit: z.int().min(1).max(20).optional().describe('How many hits; 8 unless given.'),
  entry: z
    .union([z.int().min(1), z.string()])
    .optional()
    .describe('The number or id of an entry to read.'),
  around: z
    .int()
    .min(0)
    .max(20)
    .optional()
    .describe('How many messages before and after the entry to read too.'),
  offset: z.int().min(0).optional().describe('Where in a long entry to go on reading.'),
  session: z.string().optional().describe('The id of another session, exactly as a hit names it.'),
});
type RecallInput = z.infer<typeof RecallInput>;

const NAME = 'recall';
const MAX_TOKENS = 2000;
const LIMIT = 8;
const SNIPPET_LENGTH = 300;

/** Lets an agent look up messages that the context does not show, and read it as it was written. */
export function createRecallTool({
  store,
  recall: index,
  session,
  reach = 'family',
  maxTokens = MAX_TOKENS,
  redact,
}: RecallToolOptions): RecallTool {
  async function look({ query, entry, ...input }: RecallInput): Promise<string> {
    const own = await getSession(store, session);
    const asked = input.session === undefined ? own : await getSession(store, input.session);
    await checkReach(store, own, { asked, reach });
    if (entry !== undefined) {
      const { around, offset } = input;
      const originals = await readOriginals(store, asked, {
        entry: parseEntry(entry),
        maxTokens,
        ...(around !== undefined && { around }),
        ...(offset !== undefined && { offset }),
        ...(redact && { redact }),
      });
      return renderOriginals(originals, { own: own.id });
    }
    if (query === undefined)
      throw new ThroughlineError('usage', 'Give "query" to search, or "entry" to read.');
    const sessions = await sessionsWithin(store, own, reach);
    const recall = typeof index === 'function' ? await index() : index;
    await recall.catchUp({ ...(sessions && { sessions }) });
    const now = await runningTurn(store, own, NAME);
    const hits = await searchOpen(store, recall, query, {
      ...(await filtersOf(store, own, reach)),
      ...searchFilters(input, asked, own),
      limit: input.limit ?? LIMIT,
      ...(now !== undefined && { skip: ({ session, seq }) => session === own.id && seq >= now }),
      collapse: true,
      snippetLength: SNIPPET_LENGTH,
      mark: ['', ''],
    });
    return renderHits(hits, { own: own.id });
  }

  return {
    name: NAME,
    description: DESCRIPTION,
    inputSchema: RecallInput,
    repeatable: true,
    execute: async (input) => {
      const text = await look(input);
      return cutText(text, { maxTokens, note: '[… cut here to keep it short …]' }) ?? '';
    },
  };
}

function searchFilters({ role, file, session, ...span }: RecallInput, asked: SessionInfo, own: SessionInfo) {
  return {
    ...(session !== undefined && asked.id !== own.id && { session: asked.id }),
    ...(role !== undefined && { role }),
    ...(file !== undefined && { file }),
    ...parseSpan(span),
  };
}

/**
 * Where the turn begins in which a model calls this tool now: newer messages are in front of it. `undefined` outside a turn.
 */
async function runningTurn(store: Store, info: SessionInfo, tool: string): Promise<Seq | undefined> {
  const messages = (await readFrontier(store, info)).filter(({ body }) => body.kind === 'message');
  const newest = messages.at(-1);
  if (!newest || !calls(newest, tool)) return undefined;
  return messages.findLast(({ body }) => body.kind === 'message' && body.role === 'user')?.seq ?? newest.seq;
}

function calls({ body }: Entry, tool: string): boolean {
  if (body.kind !== 'message' || body.role !== 'assistant') return false;
  return body.parts.map(readPart).some((piece) => piece.kind === 'call' && piece.name === tool);
}

type SearchOpenOptions = SearchOptions & {
  readonly limit: number;
  /** Hits that the model has in front of it. */
  readonly skip?: (hit: Hit) => boolean;
};

/** A search on behalf of a model: without what people excluded or removed where it was said. */
export async function searchOpen(
  store: Store,
  recall: Recall,
  query: string,
  { limit, skip = () => false, ...options }: SearchOpenOptions,
): Promise<Hit[]> {
  const isOpen = createOpenCheck(store);
  for (let wanted = limit; ; wanted *= 4) {
    const hits = await recall.search(query, { ...options, limit: wanted });
    const open: Hit[] = [];
    for (const hit of hits) {
      if (!skip(hit) && (await isOpen(hit.session, { id: hit.entry, seq: hit.seq }))) open.push(hit);
    }
    if (open.length >= limit || hits.length < wanted) return open.slice(0, limit);
  }
}

/** True for entries that the marks of their session hide from no model. Each session is read once. */
export function createOpenCheck(store: Store): (session: SessionId, entry: Markable) => Promise<boolean> {
  const states = new Map<SessionId, SessionState | undefined>();
  return async (session, entry) => {
    if (!states.has(session)) states.set(session, (await store.session(session))?.state);
    const state = states.get(session);
    return state !== undefined && !isHidden(state, entry);
  };
}

/** How far an agent may look from the session it works in. Its family are its forebears, their forks and resumptions. */
export type Reach = 'session' | 'family' | 'project' | 'everywhere';

/** A session without a project reaches as far as its family. */
async function filtersOf(store: Store, own: SessionInfo, reach: Reach): Promise<Filters> {
  if (reach === 'everywhere') return {};
  if (reach === 'session') return { session: own.id };
  const isOf = await sameProject(store, own, reach);
  return isOf ? { sessions: await idsOf(store, isOf) } : { lineage: own.id };
}

/** The sessions that the index has to know to search so far; `undefined` for all. */
async function sessionsWithin(
  store: Store,
  own: SessionInfo,
  reach: Reach,
): Promise<readonly SessionId[] | undefined> {
  if (reach === 'session') return (await readForebears(store, own)).sessions;
  if (reach === 'everywhere' || (await sameProject(store, own, reach))) return undefined;
  return familyOf(store, own);
}

async function checkReach(
  store: Store,
  own: SessionInfo,
  { asked, reach }: { asked: SessionInfo; reach: Reach },
): Promise<void> {
  if (asked.id === own.id || (await isWithin(store, own, { asked, reach }))) return;
  throw new ThroughlineError(
    'session-not-found',
    `Session "${asked.id}" is not within reach here. Leave "session" out to look where you may.`,
    { details: { session: asked.id, reach } },
  );
}

async function isWithin(
  store: Store,
  own: SessionInfo,
  { asked, reach }: { asked: SessionInfo; reach: Reach },
): Promise<boolean> {
  if (reach === 'everywhere' || reach === 'session') return reach === 'everywhere';
  const isOf = await sameProject(store, own, reach);
  return isOf ? isOf(asked) : (await familyOf(store, own)).includes(asked.id);
}

async function familyOf(store: Store, own: SessionInfo): Promise<SessionId[]> {
  const idsIn = ({ session, children }: LineageNode): SessionId[] => [session.id, ...children.flatMap(idsIn)];
  return idsIn((await readLineage(store, own)).root);
}

/** Tells the sessions of its project, if it has one and may look there. */
async function sameProject(store: Store, own: SessionInfo, reach: Reach): Promise<IsOfProject | undefined> {
  const project = reach === 'project' ? await projectOfSession(store, own) : undefined;
  return project && belongsTo(store, project);
}
