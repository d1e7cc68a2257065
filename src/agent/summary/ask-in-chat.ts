import type { ModelMessage, ToolSet } from 'ai';
import type { AskInChat, ChatAnswer, ChatQuestion } from '../../compaction/index.ts';
import { isCutShort, type OpenedModel } from '../../models/index.ts';
import type { SessionInfo, SummaryCall } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { sayMessage } from '../../text/index.ts';
import { cacheLifetimeMs, countText, pricesAt, USUAL_PRICE } from '../../tokens/index.ts';
import { askModel } from '../answer/ask-model.ts';
import { callsTools, splitAnswer } from '../answer/collect-answer.ts';
import { refusedCalls } from '../close-turn.ts';
import type { ModelRequest } from '../request/build-request.ts';
import { optionsNote } from '../request/note-request.ts';
import { withoutDemand } from '../request/provider-options.ts';
import type { AgentTool } from '../tools/agent-tool.ts';
import { type OfferedTools, offerTools } from '../tools/offer-tools.ts';
import type { TurnOptions } from '../turn-options.ts';
import { type ChatRequest, chatRequest } from './chat-request.ts';

/** The chat as its turns ask the model. */
export interface ChatToAsk extends Pick<TurnOptions, 'providerOptions' | 'temperature'> {
  /** The tools of the turn that runs; by default those that the log says were offered last. */
  readonly offered?: OfferedTools | undefined;
  readonly store: Store;
  info(): Promise<SessionInfo>;
  readonly model: OpenedModel;
}

/**
 * Asks for a summary as one more request of the chat where most of that is read from the provider's cache, and no other request
 * would be cheaper. Tools are offered as the turns offer them, since they are part of the cached prefix, and none is run.
 */
export function askInChat(chatNow: () => ChatToAsk, { now = Date.now } = {}): AskInChat {
  return async (question, how) => {
    const chat = chatNow();
    const { store, info, model } = chat;
    const own = (because: SummaryCall['because']) => ({ call: { as: 'own', because } as const });
    const built = await chatRequest(store, await info(), model.id);
    if ('because' in built) return own(built.because);
    if (built.options !== optionsNote(chat.providerOptions)) return own('changed');
    const tools = await toolsAgain(built, chat.offered);
    if (!tools) return own('changed');
    if (!holds(built, question)) return own('not-in-sight');
    const { context } = built.request;
    const asked = countText(question.text);
    const tokens = context.tokens + asked;
    if (tokens + how.output > context.window) return own('no-room');
    const isCold = now() - built.at > (built.keptMs ?? cacheLifetimeMs(model));
    const prices = model.price ? pricesAt(model.price, tokens) : USUAL_PRICE;
    const { input, cacheRead = input, cacheWrite = input } = prices;
    const price = (isCold ? cacheWrite : cacheRead) * built.shared + cacheWrite * (tokens - built.shared);
    if (price > input * question.otherwise) return own(isCold ? 'cold' : 'dearer');
    const answer = await ask(chat, { request: built.request, tools, question }, how);
    return {
      ...(answer && { answer }),
      call: answer
        ? { as: 'chat', because: isCold ? 'cheaper' : 'cached', tokens, shared: built.shared }
        : { as: 'own', because: 'called-tools' },
    };
  };
}

/** The tools as they were offered, or nothing if they cannot be offered so again: what a provider runs itself is not in the log. */
export async function toolsAgain(
  { tools }: ChatRequest,
  offered: OfferedTools | undefined,
): Promise<ToolSet | undefined> {
  if (offered) return JSON.stringify(offered.listed) === JSON.stringify(tools) ? offered.set() : undefined;
  if (tools.some(({ inputSchema }) => inputSchema === undefined)) return undefined;
  const again = tools.map(({ name, description, inputSchema }): [string, AgentTool] => [
    name,
    { ...(description !== undefined && { description }), inputSchema } as AgentTool,
  ]);
  return (await offerTools(Object.fromEntries(again))).set();
}

/** Whether the model has all of it before it, in its own words. */
function holds({ request: { context, frontier } }: ChatRequest, { entries }: ChatQuestion): boolean {
  const sent = new Set([
    ...context.entries,
    ...frontier.flatMap(({ id, body }) => (body.kind === 'message' ? [] : [id])),
  ]);
  return entries.every(({ id }) => sent.has(id));
}

/** Of the AI SDK, for a call where none was allowed. */
const CALLED_ANYWAY = 'AI_ToolChoiceViolationError';
const NOT_RUN = 'Not run: only the record is asked for now.';
/** Once more after calls of tools: a model that calls them again writes no record here. */
const TRIES = 2;

async function ask(
  { model, providerOptions, temperature }: ChatToAsk,
  { request, tools, question }: { request: ModelRequest; tools: ToolSet; question: ChatQuestion },
  { signal, answered, output, timeoutMs }: Parameters<AskInChat>[1],
): Promise<ChatAnswer | undefined> {
  const { context } = request;
  const given = context.messages as ModelMessage[];
  const said: ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: question.text }] }];
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const messages = [...given, ...said] as typeof context.messages;
    const seams = { ...context.seams, end: given.length };
    const options = withoutDemand(providerOptions);
    const answer = await askModel(
      model,
      { ...request, context: { ...context, messages, seams, maxOutput: output } },
      {
        tools,
        signal,
        timeoutMs,
        emit() {},
        onDelta() {},
        ...(NONE_KEEPS_CACHE.has(model.provider) && { toolChoice: 'none' as const }),
        ...(options && { providerOptions: options }),
        ...(temperature !== undefined && { temperature }),
      },
    );
    for (const usage of [answer.native.summary, answer.usage]) if (usage) answered(usage);
    if (answer.ended === 'stopped') throw signal.reason;
    if ((answer.error?.cause as Error | undefined)?.name === CALLED_ANYWAY) return undefined;
    if (answer.error) throw answer.error;
    const { parts } = splitAnswer(answer.parts);
    if (!callsTools(parts))
      return {
        text: sayMessage({ parts }, { separator: '' }),
        cutOff: isCutShort(answer),
      };
    said.push(...(refusedCalls(parts, NOT_RUN) as ModelMessage[]));
  }
  return undefined;
}

/** Providers that read the tools whether or not one may be called. With others the choice is part of what they keep. */
const NONE_KEEPS_CACHE: ReadonlySet<string> = new Set(['openai']);
