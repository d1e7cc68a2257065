import type { LanguageModel } from 'ai';
import { ThroughlineError } from '../../errors.ts';
import { type AgentSdk, installedAgentSdk, type SdkMessage } from './agent-sdk.ts';
import { AGENT_SDK } from './choose-model.ts';

type Model = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>;
type CallOptions = Parameters<Model['doStream']>[0];
type StreamPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;
type Finish = Extract<StreamPart, { type: 'finish' }>;

export interface AgentSdkModelOptions {
  readonly reference: string;
  readonly sdk?: AgentSdk;
  /** The SDK's session to go on with, asked when it is begun. Without one the conversation so far is told first. */
  readonly resume: () => Promise<string | undefined>;
  readonly cwd?: string;
  /** The id that the conversation has now, as soon as it is known: the turn may be stopped before its end. */
  readonly onSession: (id: string) => Promise<void>;
}

/** The agent SDK as a model: it is sent what is new, and keeps the rest itself. Its tools are its own affair. */
export function createAgentSdkModel({
  reference,
  sdk = installedAgentSdk,
  resume: findResume,
  cwd,
  onSession,
}: AgentSdkModelOptions): Model {
  const model = reference.slice(AGENT_SDK.length + 1);

  async function* stream({ prompt, abortSignal }: CallOptions): AsyncGenerator<StreamPart> {
    const { system, before, question } = readPrompt(prompt);
    const resume = await findResume();
    const request = {
      prompt: resume === undefined && before !== '' ? `${before}\n\n${question}` : question,
      signal: abortSignal ?? new AbortController().signal,
      ...(resume !== undefined && { resume }),
      ...(model !== '' && model !== 'default' && { model }),
      ...(system !== '' && { systemPrompt: system }),
      ...(cwd !== undefined && { cwd }),
    };
    yield { type: 'stream-start', warnings: [] };
    let session = resume;
    let said = '';
    let started = false;
    let usage: SdkMessage['usage'];
    for await (const message of sdk.query(request)) {
      if (message.session_id !== undefined && message.session_id !== session) {
        session = message.session_id;
        await onSession(session);
      }
      const text = textIn(message, said);
      if (text !== '') {
        if (!started) yield { type: 'text-start', id: '0' };
        started = true;
        said += text;
        yield { type: 'text-delta', id: '0', delta: text };
      }
      if (message.type !== 'result') continue;
      usage = message.usage;
      if (message.is_error === true) throw failed(message);
    }
    if (started) yield { type: 'text-end', id: '0' };
    yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: toUsage(usage) };
  }

  return {
    specificationVersion: 'v4',
    provider: AGENT_SDK,
    modelId: model || 'default',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('bug: the agent SDK is streamed')),
    doStream: async (options) => ({ stream: ReadableStream.from(stream(options)) }),
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

function readPrompt(prompt: CallOptions['prompt']): { system: string; before: string; question: string } {
  const last = prompt.findLastIndex(({ role }) => role === 'user');
  const system = prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
  const before = prompt
    .slice(0, Math.max(last, 0))
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => `${role}: ${textOf(content)}`)
    .join('\n\n');
  return { system, before, question: last < 0 ? '' : textOf(prompt[last]!.content) };
}

function textOf(content: CallOptions['prompt'][number]['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

function toUsage(usage: SdkMessage['usage'] = {}): Finish['usage'] {
  const { input_tokens: fresh = 0, output_tokens: written = 0 } = usage;
  const { cache_read_input_tokens: read = 0, cache_creation_input_tokens: made = 0 } = usage;
  return {
    inputTokens: { total: fresh + read + made, noCache: fresh, cacheRead: read, cacheWrite: made },
    outputTokens: { total: written, text: written, reasoning: undefined },
  };
}

function failed({ result, subtype }: SdkMessage): ThroughlineError {
  return new ThroughlineError(
    'model-failed',
    `The agent SDK could not answer: ${result ?? subtype ?? 'no reason given'}.`,
    {
      details: { provider: AGENT_SDK },
    },
  );
}
