import type { BuiltContext, Recalled } from '../context/index.ts';
import type { ChosenModel } from '../models/index.ts';
import type { EntryId, Seq, SessionInfo } from '../record/index.ts';
import type { LoadedAgent, TurnOptions } from '../run/index.ts';
import type { Store } from '../store/index.ts';
import { describeFailure } from './describe-failure.ts';
import { showProgress } from './terminal/show-progress.ts';

export interface AnnouncedContext {
  readonly context: BuiltContext;
  /** How many messages of the log are in it, the question not counted. Not told of an earlier time. */
  readonly messagesLoaded?: number;
  readonly compactionsApplied?: number;
  /** A turn would compact the session first. */
  readonly compacts?: boolean;
}

export interface AnnounceOptions {
  /** The model that would answer. */
  readonly model: ChosenModel;
  /** Where a person works: see `headOf`. */
  readonly folder?: string;
  readonly window?: number;
  /** Tokens for recall. */
  readonly recall?: number;
  /** Without one, the newest question is asked again. */
  readonly question?: string;
  /** The id that the question will have. */
  readonly id?: EntryId;
  readonly at?: Seq;
  readonly onNotRecalled?: (failure: { readonly code: string; readonly message: string }) => void;
}

/** What a chat in this folder would send for a session, or what would have been sent after an earlier entry. */
export async function announceContext(
  store: Store,
  info: SessionInfo,
  options: AnnounceOptions,
): Promise<AnnouncedContext> {
  const { at, model: chosen, question, id } = options;
  if (at !== undefined) return { context: await contextThen(store, info, { ...options, at }) };
  const { nextRequest } = await import('../run/index.ts');
  const { openSession } = await import('../session/index.ts');
  await using session = await openSession(store, info.id, { mode: 'read' });
  const turn = await turnOptions(store, info, options);
  const next = await nextRequest(session, turn, {
    model: chosen,
    question: question ?? { again: true },
    id,
  });
  const { messages: messagesLoaded, summaries: compactionsApplied } = next.holds;
  return { context: next.context, messagesLoaded, compactionsApplied, compacts: next.compacts };
}

async function turnOptions(store: Store, info: SessionInfo, options: AnnounceOptions): Promise<TurnOptions> {
  const { headOf } = await import('../run/index.ts');
  const { window = options.model.limits.window, folder, recall } = options;
  const agent = await agentOf(info);
  return {
    model: options.model,
    ...(agent && { agent }),
    head: await headOf(store, info, { window, folder }),
    budget: budgetOf(options),
    ...(recall !== 0 && {
      recall: (question: string) => recalledOrNone(store, info, { ...options, question }),
    }),
  };
}

/** Its module is run if a person agreed to that before, as a chat would. */
async function agentOf({ state }: SessionInfo): Promise<LoadedAgent | undefined> {
  const { agentPath } = state.settings;
  if (agentPath === undefined) return undefined;
  const { loadAgent, readConsent } = await import('../run/index.ts');
  if ((await readConsent(agentPath)) !== 'given') return undefined;
  return loadAgent(agentPath).catch(() => undefined);
}

/** What the project knows today says nothing about what was sent then. */
async function contextThen(
  store: Store,
  info: SessionInfo,
  options: AnnounceOptions & { readonly at: Seq },
): Promise<BuiltContext> {
  const { rebuildAt } = await import('../run/index.ts');
  const { at, question, id, model } = options;
  const { roots, restoration } = info.state;
  const compacted = roots.length > 0 || restoration !== undefined;
  const recall = compacted && options.recall !== 0 ? await recalledOrNone(store, info, options) : [];
  const built = await rebuildAt(store, info, at, {
    model: model.id,
    limits: model.limits,
    budget: budgetOf(options),
    recalled: recall,
    question,
    id,
  });
  return built.context;
}

function budgetOf({ window, recall }: AnnounceOptions): { window?: number; recallTokens?: number } {
  return { ...(window !== undefined && { window }), ...(recall !== undefined && { recallTokens: recall }) };
}

/** Recall from compacted turns for the question. Without a usable index the rest of the context is shown all the same. */
async function recalledOrNone(
  store: Store,
  info: SessionInfo,
  options: AnnounceOptions,
): Promise<Recalled[]> {
  return recalledFor(store, info, options).catch((error: unknown) => {
    options.onNotRecalled?.(describeFailure(error));
    return [];
  });
}

async function recalledFor(
  store: Store,
  info: SessionInfo,
  { question, at, recall: maxTokens }: AnnounceOptions,
): Promise<Recalled[]> {
  const { openSearchIndex } = await import('../recall/index.ts');
  const { recollect } = await import('../recollection/index.ts');
  const { onProgress, end } = showProgress('Reading what was compacted');
  try {
    await using index = openSearchIndex(store);
    return await recollect(store, await index.open(), info, {
      onProgress,
      ...(question !== undefined && { question }),
      ...(at !== undefined && { at }),
      ...(maxTokens !== undefined && { maxTokens }),
    });
  } finally {
    end();
  }
}
