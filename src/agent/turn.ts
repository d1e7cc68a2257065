import type { Load } from '../compaction/index.ts';
import type { Recalled } from '../context/index.ts';
import {
  type AnsweringModel,
  type ChosenModel,
  chooseAnswering,
  createOfflineModel,
  fittingQuotes,
  isAsking,
  isOfflineAnswer,
  type OfflineModelOptions,
  type OpenedModel,
  type Quote,
  sentencesOf,
} from '../models/index.ts';
import type { Entry, EntryId, SessionInfo, SummaryLine } from '../record/index.ts';
import { readConversation, type Session } from '../session/index.ts';
import { sayMessage } from '../text/index.ts';
import type { TurnCompactor } from './auto-compact-turn.ts';
import { type ModelRequest, requestFor } from './request/build-request.ts';
import type { AgentTool } from './tools/agent-tool.ts';
import { type OfferedTools, offerTools } from './tools/offer-tools.ts';
import type { TurnEvent } from './turn-event.ts';
import type { TurnOptions } from './turn-options.ts';
import { stoppableTurn, type TurnQueue } from './turn-queue.ts';

/** A turn that is being run: whom it asks, with what, and what the next request would be. */
export interface Turn {
  readonly session: Session;
  /** The question. */
  readonly input: Entry;
  readonly options: TurnOptions;
  readonly model: OpenedModel;
  readonly tools: Readonly<Record<string, AgentTool>>;
  readonly offered: OfferedTools;
  /** Aborts when a person stops the turn or the process ends; `by` says which. */
  readonly signal: AbortSignal;
  readonly shutdown: AbortSignal | undefined;
  by(): 'person' | 'shutdown';
  readonly emit: (event: TurnEvent) => void;
  readonly room: TurnCompactor;
  /** The next request. */
  request(): Promise<ModelRequest>;
  /** Leaves the optional tools out of the requests to come. False if there are none. */
  leaveOutTools(): Promise<boolean>;
}

/** How full a context is, with what its requests cost where the price of the model is known. */
export async function loadInMoney(
  load: Load,
  model: Pick<ChosenModel, 'provider' | 'model' | 'price'>,
  choice: TurnOptions['compaction'],
): Promise<Load> {
  if (!load.pace) return load;
  const { withMoney } = await import('./request/read-pace.ts');
  return withMoney(load, model, { choice });
}

/** Opens the model and the tools of a turn, and recalls for its question. */
export async function openTurn(
  session: Session,
  work: TurnQueue,
  {
    input,
    options,
    signal,
    emit,
    hidden,
  }: {
    input: Entry;
    options: TurnOptions;
    signal: AbortSignal;
    emit: (event: TurnEvent) => void;
    /** Answers that were cut short and are asked for again. */
    hidden: () => ReadonlySet<EntryId>;
  },
): Promise<Turn> {
  let tools = toolsOf(options);
  let offered = await offerTools(tools);
  let { toolsOnceCompacted } = options;
  // With the compaction, which changes the request anyway: a request later the provider would read all of it anew once more.
  const offerMore = async ({ state: { roots } }: SessionInfo) => {
    if (!toolsOnceCompacted || roots.length === 0) return;
    const more = await toolsOnceCompacted();
    toolsOnceCompacted = undefined;
    tools = toolsOf({ ...options, tools: { ...more, ...options.tools } });
    offered = await offerTools(tools);
  };
  const { opened: model, ...chosen } = await answeringModel(session, options);
  if (chosen.problem !== undefined)
    emit({ type: 'model-replaced', model: chosen.id, problem: chosen.problem });
  if (options.agentProblem !== undefined) emit({ type: 'agent-left-out', problem: options.agentProblem });
  const recalled = await recallFor(session.info, input, { recall: options.recall, signal });
  let built: { readonly key: string; readonly request: ModelRequest } | undefined;
  // Everything in it follows from the log, so as long as that has not grown it need not be built again.
  const request = async () => {
    const info = await session.refresh();
    await offerMore(info);
    const left = hidden();
    const key = `${info.head} ${left.size}`;
    if (built?.key === key) return built.request;
    const around = { ...options, limits: model.limits, tools: offered.listed };
    const { countTokens } = options;
    const paced = model.price !== undefined;
    const asked = {
      model: model.id,
      around,
      recalled,
      hidden: [...left],
      input: input.id,
      countTokens,
      paced,
    };
    built = { key, request: await requestFor(session.store, info, asked) };
    return built.request;
  };
  // Loaded with the first turn: who only asks what would be sent needs no summariser.
  const { createTurnCompactor } = await import('./auto-compact-turn.ts');
  const { compaction: choice } = options;
  const measure = async () => loadInMoney((await request()).load, model, choice);
  return {
    session,
    input,
    options,
    model,
    get tools() {
      return tools;
    },
    get offered() {
      return offered;
    },
    signal,
    shutdown: options.shutdown,
    // The reason is that of the signal which was first.
    by: () => (signal.aborted && signal.reason === options.shutdown?.reason ? 'shutdown' : 'person'),
    emit,
    room: createTurnCompactor(session, work, {
      model: { ...chosen, opened: model },
      window: options.budget?.window,
      choice,
      agent: options.agent,
      timeoutMs: options.timeoutMs,
      chat: {
        get offered() {
          return offered;
        },
        ...(options.providerOptions && { providerOptions: options.providerOptions }),
        ...(options.temperature !== undefined && { temperature: options.temperature }),
      },
      measure,
      signal,
      emit,
    }),
    request,
    async leaveOutTools() {
      const { optionalTools = [] } = options;
      toolsOnceCompacted = undefined;
      const kept = Object.entries(tools).filter(([name]) => !optionalTools.includes(name));
      if (offered.listed.length === kept.length) return false;
      offered = await offerTools(Object.fromEntries(kept));
      built = undefined;
      return true;
    },
  };
}

async function answeringModel(
  session: Session,
  { model: asked, agent, knowledge, openModel: open }: TurnOptions,
): Promise<AnsweringModel> {
  const chosen = await chooseAnswering(session.info.state, { asked, agent: agent?.model, open });
  const { opened } = chosen;
  if (opened.provider !== 'offline') return chosen;
  const languageModel = createOfflineModel({ quote: knownAbout(session, knowledge) });
  return { ...chosen, opened: { ...opened, languageModel } };
}

export function toolsOf({ agent, tools }: TurnOptions): Readonly<Record<string, AgentTool>> {
  return { ...agent?.tools, ...tools };
}

/** Only compacted messages have to be recalled; the rest is in sight. */
export async function recallFor(
  info: SessionInfo,
  { body }: Pick<Entry, 'body'>,
  { recall, signal }: { recall: TurnOptions['recall']; signal: AbortSignal },
): Promise<readonly Recalled[]> {
  const { roots, restoration } = info.state;
  if (!recall || (roots.length === 0 && restoration === undefined) || body.kind !== 'message') return [];
  const question = sayMessage(body).trim();
  if (question === '') return [];
  return stoppableTurn(recall(question, info), signal).catch(() => []);
}

const MOST = 8;
const DIGEST_TOKENS = 600;
const ABOUT_THE_WORK =
  /\b(?:where (?:were|are|did) we|status|summar\w*|recap|so far|decid\w*|decisions?|open|pending|to-?dos?|left|next|done|finished)\b/i;

/** What the offline model answers from: this session as it is sent, passages beyond it, and the state of the work. */
function knownAbout(
  session: Session,
  knowledge: TurnOptions['knowledge'],
): NonNullable<OfflineModelOptions['quote']> {
  return async (question, before) => {
    const known = await (knowledge?.(question, session.info) ?? Promise.resolve([])).catch(() => []);
    // Weighed together, so that what only half fits here does not stand beside what fits there.
    const fitting = fittingQuotes(question, distinct([...sentencesOf(before), ...known]));
    const stands = isAsking(question) && ABOUT_THE_WORK.test(question) ? await whereItStands(session) : [];
    return distinct([...fitting, ...stands]).slice(0, MOST);
  };
}

async function whereItStands(session: Session): Promise<Quote[]> {
  const { frontier } = await readConversation(session.store, session.info);
  // The question itself is no news, and an answer of this model only repeats others.
  const earlier = frontier.filter(({ body }, index) => index < frontier.length - 1 && !isOfflineAnswer(body));
  if (earlier.length === 0) return [];
  const { digestEntries } = await import('../compaction/index.ts');
  const { decisions, pending, completed } = digestEntries(earlier, { maxTokens: DIGEST_TOKENS });
  const lines = (who: string, list: readonly SummaryLine[]) =>
    list.map(({ text }): Quote => ({ who, text, from: 'work' }));
  return [...lines('decided', decisions), ...lines('open', pending), ...lines('done', completed)];
}

/** Of repeated messages, the first: closer to where one is. */
function distinct(quotes: readonly Quote[]): Quote[] {
  const said = new Set<string>();
  return quotes.filter(({ text }) => {
    const same = text.trim().toLowerCase();
    return !said.has(same) && said.add(same);
  });
}
