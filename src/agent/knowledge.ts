import type { HeadPiece, Recalled } from '../context/index.ts';
import { isOfflineAnswer, type Quote } from '../models/index.ts';
import type { Board, InstructionReader, Project } from '../project/index.ts';
import type { EntryId, SessionId, SessionInfo } from '../record/index.ts';
import type { RecallTool, RecollectOptions, SearchIndex } from '../search/index.ts';
import type { Store } from '../store/index.ts';

/** What turns know beyond their session: the project's instructions and facts, compacted turns, the project's other sessions. */
export interface Knowledge extends AsyncDisposable {
  /** The project's instructions and facts for a session, for a model of this window. */
  head(info: SessionInfo, window: number): Promise<readonly HeadPiece[]>;
  /** What compacted turns, and the session before, say about a question. */
  recall(
    question: string | undefined,
    info: SessionInfo,
    options?: Pick<RecollectOptions, 'at' | 'maxTokens'>,
  ): Promise<readonly Recalled[]>;
  /** The tool by which an agent looks further: in everything compacted, and in the sessions before, however far back. */
  recallTool(info: SessionInfo): Promise<RecallTool>;
  /** What the project's memory and its other sessions say about a question, for the offline model. */
  quotes(question: string, info: SessionInfo): Promise<readonly Quote[]>;
}

export interface KnowledgeOptions {
  /**
   * A folder that the caller names: the session alone does not say it. Its instruction files count for a session of its
   * project, and for one whose project has no folder. The files of any other session are those of its project, and those of a
   * session of work are those of its feature, if that has a folder.
   */
  readonly folder?: string | undefined;
  /** An index that is open already; it stays open. Without one, an index is opened at the first question that needs it. */
  readonly index?: Pick<SearchIndex, 'open' | 'current'> | undefined;
  readonly onProgress?: RecollectOptions['onProgress'];
  /** Called when nothing can be recalled because the index cannot be used: the turn goes on without. */
  readonly onNotRecalled?: ((error: unknown) => void) | undefined;
}

const MOST = 5;
const SNIPPET = 280;

export function openKnowledge(
  store: Store,
  { folder, index: given, onProgress, onNotRecalled }: KnowledgeOptions = {},
): Knowledge {
  let own: SearchIndex | undefined;
  let reader: InstructionReader | undefined;
  const boards = new Map<SessionId, Board>();

  async function index(): Promise<Pick<SearchIndex, 'open' | 'current'>> {
    if (given) return given;
    // A session that searches nothing does not load the search.
    const { openSearchIndex } = await import('../search/index.ts');
    own ??= openSearchIndex(store);
    return own;
  }

  /** A project that cannot be read must not keep a message from being written down. */
  async function head(info: SessionInfo, window: number): Promise<readonly HeadPiece[]> {
    try {
      const { createInstructionReader, memoryHead } = await import('../project/index.ts');
      reader ??= createInstructionReader();
      const place = await placeOf(store, info, folder);
      const top = await folderOfFeature(info);
      return place ? (await memoryHead(store, { ...place, top, window, reader })).pieces : [];
    } catch {
      return [];
    }
  }

  /** A session of work is shown the files that requests of its feature are shown. */
  async function folderOfFeature({ state }: SessionInfo): Promise<string | undefined> {
    const { work } = state.settings;
    if (work === undefined) return undefined;
    const { folderFor, readBoard } = await import('../project/index.ts');
    const before = boards.get(work.board);
    const board = await readBoard(store, work.board, before && { before });
    boards.set(work.board, board);
    return folderFor(board, work.feature, undefined);
  }

  async function quotes(question: string, info: SessionInfo): Promise<readonly Quote[]> {
    const { sessionsOf } = await import('../project/index.ts');
    const project = await projectOf(store, info, folder);
    if (!project) return [];
    const others = new Set((await sessionsOf(store, project)).map(({ id }) => id));
    // Messages of this session are in the request already, or recalled.
    others.delete(info.id);
    const known = await factsOf(store, project);
    return others.size === 0 ? known : [...known, ...(await saidIn(others, question))];
  }

  async function saidIn(sessions: ReadonlySet<SessionId>, question: string): Promise<Quote[]> {
    const { searchOpen } = await import('../search/index.ts');
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
      // Answers of the offline model repeat other messages.
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
    async recallTool({ id }) {
      const { createRecallTool } = await import('../search/index.ts');
      return createRecallTool({ store, recall: async () => (await index()).open(), session: id });
    },
    async recall(question, info, { at, maxTokens } = {}) {
      try {
        const { recollect } = await import('../search/index.ts');
        return await recollect(store, await (await index()).open(), info, {
          ...(question !== undefined && { question }),
          ...(at !== undefined && { at }),
          ...(maxTokens !== undefined && { maxTokens }),
          ...(onProgress && { onProgress }),
        });
      } catch (error) {
        onNotRecalled?.(error);
        return [];
      }
    },
    async [Symbol.asyncDispose]() {
      await own?.[Symbol.asyncDispose]();
    },
  };
}

async function placeOf(store: Store, info: SessionInfo, folder: string | undefined) {
  const { folderOf, placeFolder, projectOfSession } = await import('../project/index.ts');
  const project = await projectOfSession(store, info);
  if (!project) return folder === undefined ? undefined : { folder };
  if (folder === undefined) return { project };
  const here = await placeFolder(store, folder);
  return here.project.id === project.id || folderOf(project) === undefined
    ? { project, folder }
    : { project };
}

/** The session's project, or that of the folder for a session that belongs to none. */
async function projectOf(
  store: Store,
  info: SessionInfo,
  folder: string | undefined,
): Promise<Project | undefined> {
  const { placeFolder, projectOfSession } = await import('../project/index.ts');
  const own = await projectOfSession(store, info);
  if (own || folder === undefined) return own;
  return (await placeFolder(store, folder)).project;
}

async function factsOf(store: Store, { known, id }: Project): Promise<Quote[]> {
  if (!known) return [];
  const { readMemory, showFacts } = await import('../project/index.ts');
  const facts = showFacts(await readMemory(store, id)).filter(({ outdone }) => !outdone);
  return facts.map(({ text }) => ({ who: 'fact', text, from: 'project memory' }));
}
