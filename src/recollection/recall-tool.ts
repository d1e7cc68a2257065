import { z } from 'zod';
import { cutText } from '../context/index.ts';
import { ThroughlineError } from '../errors.ts';
import type { Recall } from '../recall/index.ts';
import { Role, type SessionId, type SessionInfo } from '../record/index.ts';
import { getSession } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { parseEntry, parseSpan } from './parse-asked.ts';
import { checkReach, filtersOf, type Reach, sessionsWithin } from './reach.ts';
import { readOriginals } from './read-originals.ts';
import { renderHits, renderOriginals } from './render-found.ts';
import { runningTurn } from './running-turn.ts';
import { searchOpen } from './search-open.ts';

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
export type RecallInput = z.infer<typeof RecallInput>;

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
