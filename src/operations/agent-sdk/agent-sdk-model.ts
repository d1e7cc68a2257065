import type { LanguageModel } from 'ai';
import { ThroughlineError } from '../../errors.ts';
import { AGENT_SDK, type ChosenModel } from '../../models/index.ts';
import { projectOfSession } from '../../project/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { TurnParts } from '../turn-app.ts';
import { type AgentSdk, requireAgentSdk, type SdkMessage } from './agent-sdk.ts';
import { createSdkTurns, type SdkTurn, type SdkTurns } from './sdk-turns.ts';

type Model = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>;
type CallOptions = Parameters<Model['doStream']>[0];
type StreamPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;
type Finish = Extract<StreamPart, { type: 'finish' }>;

interface AgentSdkModelOptions {
  /** As the SDK calls it; `default`: the SDK chooses. */
  readonly model: string;
  readonly sdk: AgentSdk;
  readonly turns: SdkTurns;
  readonly cwd?: string;
}

/** The agent SDK as a model. The SDK runs its own tools and holds its own context, so the built request is not sent. */
function createAgentSdkModel({ model, sdk, turns, cwd }: AgentSdkModelOptions): Model {
  async function* stream(options: CallOptions): AsyncGenerator<StreamPart> {
    yield { type: 'stream-start', warnings: [] };
    const isAnswered = yield* answer(await turns.next(), options);
    if (!isAnswered) yield* answer(await turns.next({ begin: true }), options);
  }

  /** False if the conversation cannot be used; the SDK has said nothing then. */
  async function* answer(
    { acknowledge, ...turn }: SdkTurn,
    { prompt, abortSignal }: CallOptions,
  ): AsyncGenerator<StreamPart, boolean> {
    const system = prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
    const stopped = new AbortController();
    const request = {
      ...turn,
      signal: AbortSignal.any([stopped.signal, ...(abortSignal ? [abortSignal] : [])]),
      ...(model !== 'default' && { model }),
      ...(system !== '' && { systemPrompt: system }),
      ...(cwd !== undefined && { cwd }),
    };
    let session: string | undefined;
    let said = '';
    let usage: SdkMessage['usage'];
    try {
      for await (const message of sdk.query(request)) {
        if (message.type === 'result' && message.is_error === true) throw failed(message);
        // At once and not at the end: the turn may be stopped in between.
        if (message.session_id !== undefined && message.session_id !== session) {
          session = message.session_id;
          if (!(await acknowledge(session))) return false;
        }
        const text = textIn(message, said);
        if (text !== '') {
          if (said === '') yield { type: 'text-start', id: '0' };
          said += text;
          yield { type: 'text-delta', id: '0', delta: text };
        }
        if (message.type === 'result') usage = message.usage;
      }
    } catch (error) {
      if (turn.resume !== undefined && session === undefined && isUnknownSession(error)) return false;
      throw error;
    } finally {
      stopped.abort();
    }
    if (said !== '') yield { type: 'text-end', id: '0' };
    yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: toUsage(usage) };
    return true;
  }

  return {
    specificationVersion: 'v4',
    provider: AGENT_SDK,
    modelId: model,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('bug: the agent SDK is streamed')),
    doStream: async (options) => ({ stream: toStream(stream(options)) }),
  };
}

/** What a message adds. Whole messages come behind their deltas, and alone where there are none. */
function textIn({ type, event, message, result }: SdkMessage, said: string): string {
  if (type === 'stream_event') return event?.delta?.type === 'text_delta' ? (event.delta.text ?? '') : '';
  if (said !== '') return '';
  if (type === 'result') return result ?? '';
  if (type !== 'assistant' || !Array.isArray(message?.content)) return '';
  return message.content
    .map((block: { type?: unknown; text?: unknown }) =>
      block.type === 'text' && typeof block.text === 'string' ? block.text : '',
    )
    .join('');
}

/** The SDK's words for an id that it does not have: deleted there, or from another machine. */
function isUnknownSession(error: unknown): boolean {
  return error instanceof Error && /no conversation found/i.test(error.message);
}

function toUsage(usage: SdkMessage['usage'] = {}): Finish['usage'] {
  const { input_tokens: fresh = 0, output_tokens: written = 0 } = usage;
  const { cache_read_input_tokens: read = 0, cache_creation_input_tokens: made = 0 } = usage;
  return {
    inputTokens: { total: fresh + read + made, noCache: fresh, cacheRead: read, cacheWrite: made },
    outputTokens: { total: written, text: written, reasoning: undefined },
  };
}

function failed({ result, errors = [], subtype }: SdkMessage): ThroughlineError {
  const reason = result ?? (errors.join(' ') || (subtype ?? 'no reason given'));
  return new ThroughlineError('model-failed', `The agent SDK could not answer: ${reason}.`, {
    details: { provider: AGENT_SDK },
  });
}

/** As `ReadableStream.from` does, which the types of the web app do not know; they are checked with this file. */
function toStream<T>(parts: AsyncIterable<T>): ReadableStream<T> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** The agent SDK as the model of a session, in the folder of its project. */
export async function sdkModel(
  parts: TurnParts,
  info: SessionInfo,
  { model, limits }: ChosenModel,
): Promise<Exclude<LanguageModel, string>> {
  const sdk = await requireAgentSdk(parts);
  const project = await projectOfSession(parts.store, info).catch(() => undefined);
  const cwd = project?.folders.find(({ leftAt }) => leftAt === undefined)?.path;
  return createAgentSdkModel({
    model,
    sdk,
    // The log is read when the turn begins: the turn before it may still be running now.
    turns: createSdkTurns(parts, info.id, { window: limits.window }),
    ...(cwd !== undefined && { cwd }),
  });
}
