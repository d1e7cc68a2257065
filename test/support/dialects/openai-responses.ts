import { type Dialect, pieces, sse } from '../wire-dialect.ts';
import type { Turn } from '../wire-script.ts';
import type { WireRequest } from '../wire-server.ts';
import { openaiFault } from './openai-faults.ts';

/** OpenAI's Responses API. */
export const openaiResponses: Dialect = {
  basePath: '/v1',
  reference: 'openai:gpt-6.1-sol',
  env: ({ url, key }) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: url }),
  isCall: (path) => path === '/v1/responses',
  isStreaming: ({ body }) => body?.stream === true,

  answer: (turn, request) => response(turn, request, { output: items(turn).map(({ whole }) => whole) }),

  frames(turn, request) {
    let sequence = 0;
    const event = (type: string, fields: object) =>
      sse({ type, sequence_number: sequence++, ...fields }, type);
    const started = response(turn, request, { status: 'in_progress', usage: null, incomplete_details: null });
    return [
      event('response.created', { response: started }),
      event('response.in_progress', { response: started }),
      ...items(turn).flatMap(({ start, whole, deltas }, output_index) => [
        event('response.output_item.added', { output_index, item: start }),
        ...deltas.map(({ type, ...fields }) =>
          event(type, { item_id: start.id, output_index, content_index: 0, summary_index: 0, ...fields }),
        ),
        event('response.output_item.done', { output_index, item: whole }),
      ]),
      event(reasonOf(turn) ? 'response.incomplete' : 'response.completed', {
        response: response(turn, request, { output: items(turn).map(({ whole }) => whole) }),
      }),
    ];
  },

  fault: (fault) =>
    openaiFault(
      fault,
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ),
  failureFrame: () =>
    sse(
      {
        type: 'response.failed',
        sequence_number: 99,
        response: {
          id: 'resp_wire',
          status: 'failed',
          error: { code: 'server_error', message: 'The server had an error' },
        },
      },
      'response.failed',
    ),
};

interface Item {
  readonly start: { readonly id: string };
  readonly whole: object;
  readonly deltas: readonly { readonly type: string; readonly [field: string]: unknown }[];
}

function items({ text, reasoning, calls, native }: Turn): Item[] {
  return [
    ...(native ? [compactionItem(native.text)] : []),
    ...(reasoning ? [reasoningItem(reasoning)] : []),
    ...(text === '' ? [] : [messageItem(text)]),
    ...calls.map(({ id: call_id, name, input }) => {
      const json = JSON.stringify(input);
      const start = {
        type: 'function_call',
        id: `fc_${call_id}`,
        call_id,
        name,
        arguments: '',
        status: 'in_progress',
      };
      return {
        start,
        whole: { ...start, arguments: json, status: 'completed' },
        deltas: [
          ...pieces(json).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
          { type: 'response.function_call_arguments.done', arguments: json },
        ],
      };
    }),
  ];
}

/** Sealed: only the provider reads it. */
function compactionItem(sealed: string): Item {
  const item = { type: 'compaction', id: 'cmp_wire', encrypted_content: sealed };
  return { start: item, whole: item, deltas: [] };
}

function messageItem(text: string): Item {
  const start = { type: 'message', id: 'msg_wire', role: 'assistant', status: 'in_progress', content: [] };
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  return {
    start,
    whole: { ...start, status: 'completed', content: [part] },
    deltas: [
      { type: 'response.content_part.added', part: { ...part, text: '' } },
      ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', delta, logprobs: [] })),
      { type: 'response.output_text.done', text, logprobs: [] },
      { type: 'response.content_part.done', part },
    ],
  };
}

/** The summary is for people; what goes back is the encrypted content, here the signature. */
function reasoningItem({ text, signature }: { text: string; signature: string }): Item {
  const part = { type: 'summary_text', text };
  const start = { type: 'reasoning', id: 'rs_wire', summary: [], encrypted_content: signature };
  return {
    start,
    whole: { ...start, summary: [part] },
    deltas: [
      { type: 'response.reasoning_summary_part.added', part: { ...part, text: '' } },
      ...pieces(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', delta })),
      { type: 'response.reasoning_summary_text.done', text },
      { type: 'response.reasoning_summary_part.done', part },
    ],
  };
}

/** Why the response is incomplete, if it is. */
function reasonOf({ finish }: Turn): string | undefined {
  if (finish === 'length') return 'max_output_tokens';
  return finish === 'content-filter' ? 'content_filter' : undefined;
}

function response(turn: Turn, request: WireRequest, fields: object) {
  const { input, output, cacheRead = 0, reasoning = 0 } = turn.usage;
  return {
    id: 'resp_wire',
    object: 'response',
    created_at: 1_790_000_000,
    model: request.body.model,
    status: reasonOf(turn) ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: reasonOf(turn) ? { reason: reasonOf(turn) } : null,
    output: [],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cacheRead },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + output,
    },
    ...fields,
  };
}
