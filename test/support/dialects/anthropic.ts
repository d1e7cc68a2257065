import { type Dialect, type FaultAnswer, pieces, retryAfter, sse } from '../wire-dialect.ts';
import type { Fault, Turn } from '../wire-script.ts';
import type { WireRequest } from '../wire-server.ts';

const MESSAGE = { id: 'msg_wire', type: 'message', role: 'assistant' };
const STOP = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  compaction: 'compaction',
} as const;

/** Anthropic's Messages API. */
export const anthropic: Dialect = {
  basePath: '/v1',
  reference: 'anthropic:claude-sonnet-5-5',
  env: ({ url, key }) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url }),
  isCall: (path) => path === '/v1/messages',
  isStreaming: ({ body }) => body?.stream === true,

  answer: (turn, request) => ({
    ...MESSAGE,
    model: request.body.model,
    content: blocks(turn, request).map(({ whole }) => whole),
    stop_reason: STOP[turn.finish],
    stop_sequence: null,
    usage: { ...inputUsage(turn), output_tokens: turn.usage.output, ...iterationsOf(turn) },
    ...editsOf(turn),
  }),

  frames(turn, request) {
    const event = (type: string, fields: object = {}) => sse({ type, ...fields }, type);
    const message = {
      ...MESSAGE,
      model: request.body.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
    };
    return [
      event('message_start', { message: { ...message, usage: { ...inputUsage(turn), output_tokens: 1 } } }),
      event('ping'),
      ...blocks(turn, request).flatMap(({ start, deltas }, index) => [
        event('content_block_start', { index, content_block: start }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', {
        delta: { stop_reason: STOP[turn.finish], stop_sequence: null },
        usage: { output_tokens: turn.usage.output, ...iterationsOf(turn) },
        ...editsOf(turn),
      }),
      event('message_stop'),
    ];
  },

  fault: (fault) => {
    const { status, type, message } = put(fault);
    return {
      status,
      headers: { ...retryAfter(fault), 'request-id': 'req_wire' },
      body: error(type, message),
    };
  },
  failureFrame: () => sse(error('overloaded_error', 'Overloaded'), 'error'),
};

interface Block {
  readonly whole: object;
  readonly start: object;
  readonly deltas: readonly object[];
}

function blocks({ text, reasoning, calls, native }: Turn, request: WireRequest): Block[] {
  // Asked for JSON by way of a forced tool, a model without native structured output answers with a call of it.
  const forced: string | undefined = request.body.tool_choice?.name;
  const asTool = forced !== undefined && calls.length === 0;
  const all = asTool ? [{ id: `toolu_${forced}`, name: forced, input: JSON.parse(text) as unknown }] : calls;
  return [
    ...(native ? [compactionBlock(native)] : []),
    ...(reasoning ? [thinkingBlock(reasoning)] : []),
    ...(text !== '' && !asTool ? [textBlock(text)] : []),
    ...all.map(({ id, name, input }) => ({
      whole: { type: 'tool_use', id, name, input },
      start: { type: 'tool_use', id, name, input: {} },
      deltas: pieces(JSON.stringify(input)).map((json) => ({ type: 'input_json_delta', partial_json: json })),
    })),
  ];
}

const thinkingBlock = ({ text, signature }: { text: string; signature: string }): Block => ({
  whole: { type: 'thinking', thinking: text, signature },
  start: { type: 'thinking', thinking: '', signature: '' },
  deltas: [
    ...pieces(text).map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature },
  ],
});

/** Whole where it was asked for, and in pieces where the provider made it of its own accord. */
const compactionBlock = ({ text, signature }: { text: string; signature?: string }): Block => {
  const whole = { type: 'compaction', content: text, ...(signature && { signature }) };
  if (signature) return { whole, start: whole, deltas: [] };
  const deltas = pieces(text).map((content) => ({ type: 'compaction_delta', content }));
  return { whole, start: { type: 'compaction', content: null }, deltas };
};

const iterationsOf = ({ native }: Turn) => {
  const { summary, message } = native ?? {};
  const one = (type: string, { input, output }: { input: number; output: number }) => ({
    type,
    input_tokens: input,
    output_tokens: output,
  });
  const iterations = [
    ...(summary ? [one('compaction', summary)] : []),
    ...(message ? [one('message', message)] : []),
  ];
  return iterations.length > 0 ? { iterations } : {};
};

const editsOf = ({ cleared }: Turn) =>
  cleared === undefined
    ? {}
    : {
        context_management: {
          applied_edits: [
            { type: 'clear_tool_uses_20250919', cleared_tool_uses: 1, cleared_input_tokens: cleared },
          ],
        },
      };

const textBlock = (text: string): Block => ({
  whole: { type: 'text', text },
  start: { type: 'text', text: '' },
  deltas: pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
});

const inputUsage = ({ usage: { input, cacheRead = 0, cacheWrite = 0, cacheWriteLong = 0 } }: Turn) => ({
  input_tokens: input - cacheRead - cacheWrite,
  cache_creation_input_tokens: cacheWrite,
  cache_creation: {
    ephemeral_5m_input_tokens: cacheWrite - cacheWriteLong,
    ephemeral_1h_input_tokens: cacheWriteLong,
  },
  cache_read_input_tokens: cacheRead,
});

const error = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_wire',
});

function put({
  kind,
  message,
  tokens,
  limit,
}: Fault): Pick<FaultAnswer, 'status'> & { type: string; message: string } {
  switch (kind) {
    case 'unauthorized':
      return { status: 401, type: 'authentication_error', message: message ?? 'invalid x-api-key' };
    case 'no-credit':
      return {
        status: 400,
        type: 'invalid_request_error',
        message: 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
      };
    case 'rate-limited':
      return {
        status: 429,
        type: 'rate_limit_error',
        message:
          'This request would exceed your organization’s rate limit of 30,000 input tokens per minute.',
      };
    case 'server-error':
      return { status: 500, type: 'api_error', message: 'Internal server error' };
    case 'overloaded':
      return { status: 529, type: 'overloaded_error', message: 'Overloaded' };
    case 'overflow':
      return {
        status: 400,
        type: 'invalid_request_error',
        message: `prompt is too long: ${tokens} tokens > ${limit} maximum`,
      };
    case 'unknown-model':
      return { status: 404, type: 'not_found_error', message: 'model: claude-nobody' };
    case 'bad-request':
      return { status: 400, type: 'invalid_request_error', message: message ?? 'messages: field required' };
  }
}
