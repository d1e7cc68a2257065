import type { ModelMessage } from 'ai';
import { type CompactionResult, describeWhole } from '../../compaction/index.ts';
import { ThroughlineError } from '../../errors.ts';
import type { OpenedModel } from '../../models/index.ts';
import type { SummaryCall } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { askModel } from '../answer/ask-model.ts';
import { splitAnswer } from '../answer/collect-answer.ts';
import { nativeCompaction } from '../answer/native-compaction.ts';
import type { TurnOptions } from '../turn-options.ts';
import { toolsAgain } from './ask-in-chat.ts';
import { chatRequest } from './chat-request.ts';

/** How each provider that summarises a conversation itself is asked to. */
const DEMANDS: Readonly<
  Record<string, (instructions?: string) => NonNullable<TurnOptions['providerOptions']>>
> = {
  anthropic: (instructions) => ({
    anthropic: { compaction: { type: 'summarize', ...(instructions && { instructions }) } },
  }),
  openai: () => ({ openai: { compactionTrigger: true } }),
};

export const SUMMARISE_THEMSELVES: readonly string[] = Object.keys(DEMANDS);

const OUTPUT_TOKENS = 16_000;
const PATIENCE_MS = 120_000;

/**
 * Has the provider of a session's model summarise all that was said before the newest question, in one more request of the chat.
 * Fails where the provider does not do that, or was not asked anything in the session before.
 */
export async function compactByProvider(
  session: Session,
  {
    opened: model,
    instructions,
    timeoutMs = PATIENCE_MS,
    signal = NEVER,
  }: {
    readonly opened: OpenedModel;
    readonly instructions?: string | undefined;
    readonly timeoutMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<CompactionResult> {
  const demand = DEMANDS[model.provider];
  if (!demand) throw notMade(`${model.id} has no provider that writes summaries`);
  const info = await session.refresh();
  const chat = await chatRequest(session.store, info, model.id);
  const tools = 'because' in chat ? undefined : await toolsAgain(chat, undefined);
  if ('because' in chat || !tools)
    throw notMade(WHY['because' in chat ? chat.because : 'changed'] ?? WHY.changed!);
  const { request } = chat;
  const { context } = request;
  const question: ModelMessage = { role: 'user', content: [{ type: 'text', text: QUESTION }] };
  const given = context.messages as ModelMessage[];
  const messages = [...given, question] as typeof context.messages;
  const seams = { ...context.seams, end: given.length };
  const maxOutput = Math.min(OUTPUT_TOKENS, model.limits.output);
  const answer = await askModel(
    model,
    { context: { ...context, messages, seams, maxOutput } },
    { tools, signal, timeoutMs, emit() {}, onDelta() {}, providerOptions: demand(instructions) },
  );
  if (answer.ended === 'stopped') throw signal.reason;
  if (answer.error) throw answer.error;
  const { block } = splitAnswer(answer.parts);
  if (!block) throw notMade('the provider sent none');
  const usage = answer.native.summary ?? answer.usage;
  const made = nativeCompaction(info, request, { block, model: model.id, usage });
  if (!made)
    throw new ThroughlineError('nothing-to-compact', 'Nothing was said before the newest question.', {
      details: { session: info.id },
    });
  const [entry] = await session.append([made]);
  return describeWhole(entry!, made, request.frontier);
}

const NEVER = new AbortController().signal;
const QUESTION = 'Summarise the conversation so far.';

const WHY: Partial<Record<SummaryCall['because'], string>> = {
  'not-asked-before': 'this model has not answered in the session, so its provider has read nothing of it',
  shortened: 'the conversation does not fit the window of the model',
  changed: 'the conversation or its tools are not what the provider read',
};

function notMade(reason: string): ThroughlineError {
  return new ThroughlineError('summary-rejected', `The provider wrote no summary: ${reason}.`, {
    details: { reason },
  });
}
