import type { HeadPiece, Recalled } from '../../context/index.ts';
import { isOfflineAnswer, type Quote } from '../../models/index.ts';
import type { SearchIndex } from '../../recall/index.ts';
import type { EntryId, SessionId, SessionInfo } from '../../record/index.ts';
import { headOf } from '../../run/index.ts';
import type { ChatPlace } from './chat.ts';

/** What a chat knows beyond the session it is in: the project's instructions and facts, and everything ever said in it. */
export interface Knowledge extends AsyncDisposable {
  /** Stands in front of every request in a session, for a model of this window. */
  head(info: SessionInfo, window: number): Promise<readonly HeadPiece[]>;
  /** What compacted turns, and the session before, say about a question. */
  readonly recall: (question: string, info: SessionInfo) => Promise<readonly Recalled[]>;
  /** What the project's memory and its other sessions may have to say about it, for the offline model to choose from. */
  readonly quotes: (question: string, info: SessionInfo) => Promise<readonly Quote[]>;
}

const MOST = 5;
const SNIPPET = 280;

export function openKnowledge({ store, folder, project }: ChatPlace): Knowledge {
  let opened: SearchIndex | undefined;
  async function index(): Promise<SearchIndex> {
    // A chat that searches nothing does not load the search.
    const { openSearchIndex } = await import('../../recall/index.ts');
    opened ??= openSearchIndex(store);
    return opened;
  }
  let reader: import('../../memory/index.ts').InstructionReader | undefined;

  async function head(info: SessionInfo, window: number): Promise<readonly HeadPiece[]> {
    const { createInstructionReader } = await import('../../memory/index.ts');
    reader ??= createInstructionReader();
    return headOf(store, info, { window, folder, reader });
  }

  async function facts(): Promise<Quote[]> {
    const { readMemory, showFacts } = await import('../../memory/index.ts');
    if (!project.known) return [];
    const known = showFacts(await readMemory(store, project.id)).filter(({ outdone }) => !outdone);
    return known.map(({ text }) => ({ who: 'fact', text, from: 'project memory' }));
  }

  async function quotes(question: string, info: SessionInfo): Promise<readonly Quote[]> {
    const { sessionsOf } = await import('../../memory/index.ts');
    const others = new Set((await sessionsOf(store, project)).map(({ id }) => id));
    // What is in this session is in the request already, or recalled.
    others.delete(info.id);
    const known = await facts();
    return others.size === 0 ? known : [...known, ...(await saidIn(others, question))];
  }

  async function saidIn(sessions: ReadonlySet<SessionId>, question: string): Promise<Quote[]> {
    const { searchOpen } = await import('../../recollection/index.ts');
    const { open, current } = await index();
    // Quotes from an index that cannot catch up now are better than none.
    const { recall } = await current().catch(async () => ({ recall: await open() }));
    const hits = await searchOpen(store, recall, question, {
      role: ['user', 'assistant'],
      limit: MOST * 6,
      snippetLength: SNIPPET,
      mark: ['', ''],
    });
    const said: Quote[] = [];
    for (const { role, session, entry, snippet } of hits) {
      if (!sessions.has(session) || said.length >= MOST) continue;
      // What the offline model said repeats the rest.
      if (await isQuoting(session, entry)) continue;
      const who = `${role === 'user' ? 'you' : role}, in ${session}`;
      said.push({ who, text: snippet.replace(/\s+/g, ' ').trim(), from: 'other sessions' });
    }
    return said;
  }

  async function isQuoting(session: SessionId, id: EntryId): Promise<boolean> {
    const body = (await store.entry(session, id))?.body;
    return body !== undefined && isOfflineAnswer(body);
  }

  return {
    head,
    quotes,
    async recall(question, info) {
      const { recollect } = await import('../../recollection/index.ts');
      return recollect(store, await (await index()).open(), info, { question });
    },
    async [Symbol.asyncDispose]() {
      await opened?.[Symbol.asyncDispose]();
    },
  };
}
