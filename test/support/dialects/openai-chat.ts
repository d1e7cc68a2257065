import { type Dialect, pieces, sse } from '../wire-dialect.ts';
import type { Turn, WireCall } from '../wire-script.ts';
import { openaiFault } from './openai-faults.ts';

const COMPLETION = { id: 'chatcmpl-wire', created: 1_790_000_000 };
const FINISH = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  compaction: 'stop',
} as const;

/** OpenAI's Chat Completions, which most other servers speak too. */
export const openaiChat: Dialect = {
  basePath: '/v1',
  reference: 'compatible:wire-model',
  env: ({ url, key }) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: url }),
  isCall: (path) => path === '/v1/chat/completions',
  isStreaming: ({ body }) => body?.stream === true,

  answer: (turn, request) => ({
    ...COMPLETION,
    object: 'chat.completion',
    model: request.body.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: turn.text === '' ? null : turn.text,
          ...(turn.reasoning && { reasoning_content: turn.reasoning.text }),
          ...(turn.calls.length > 0 && { tool_calls: turn.calls.map(toolCall) }),
        },
        finish_reason: FINISH[turn.finish],
      },
    ],
    usage: usageOf(turn),
  }),

  frames(turn, request) {
    const head = { ...COMPLETION, object: 'chat.completion.chunk', model: request.body.model };
    const chunk = (delta: object, finish: string | null = null) =>
      sse({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(turn.reasoning?.text ?? '').map((piece) => chunk({ reasoning_content: piece })),
      ...pieces(turn.text).map((content) => chunk({ content })),
      ...turn.calls.flatMap((call, index) => {
        const { id, type, function: asked } = toolCall(call);
        return [
          chunk({ tool_calls: [{ index, id, type, function: { name: asked.name, arguments: '' } }] }),
          ...pieces(asked.arguments).map((piece) =>
            chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
          ),
        ];
      }),
      chunk({}, FINISH[turn.finish]),
      ...(request.body.stream_options?.include_usage
        ? [sse({ ...head, choices: [], usage: usageOf(turn) })]
        : []),
      'data: [DONE]\n\n',
    ];
  },

  fault: (fault) =>
    openaiFault(
      fault,
      `This model's maximum context length is ${fault.limit} tokens. However, your messages resulted in ${fault.tokens} tokens. Please reduce the length of the messages.`,
    ),
  failureFrame: () =>
    sse({ error: { message: 'The server had an error', type: 'server_error', param: null, code: null } }),
};

const toolCall = ({ id, name, input }: WireCall) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});

const usageOf = ({ usage: { input, output, cacheRead, reasoning } }: Turn) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  ...(cacheRead !== undefined && { prompt_tokens_details: { cached_tokens: cacheRead } }),
  ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
});
