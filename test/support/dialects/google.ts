import { type Dialect, type FaultAnswer, pieces, sse } from '../wire-dialect.ts';
import type { Fault, Turn } from '../wire-script.ts';
import type { WireRequest } from '../wire-server.ts';

const FINISH = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
  compaction: 'STOP',
} as const;

/** Google's generateContent and streamGenerateContent. */
export const google: Dialect = {
  basePath: '/v1beta',
  reference: 'google:gemini-3.8-flash',
  env: ({ url, key }) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url }),
  isCall: (path) => /^\/v1beta\/models\/[^/]+:(?:streamGenerate|generate)Content$/.test(path),
  isStreaming: ({ path }) => path.endsWith(':streamGenerateContent'),

  answer: (turn, request) => candidate(turn, request, { parts: parts(turn), last: true }),

  frames(turn, request) {
    const said = parts(turn).flatMap(({ text, thoughtSignature, ...rest }): Said[] => {
      if (text === undefined) return [{ ...rest, thoughtSignature }];
      const all = pieces(text);
      // The signature comes with the last piece of what it signs.
      return all.map((piece, index) => ({
        ...rest,
        text: piece,
        ...(index === all.length - 1 && { thoughtSignature }),
      }));
    });
    return [
      ...said.map((part) => sse(candidate(turn, request, { parts: [part], last: false }))),
      sse(candidate(turn, request, { parts: [{ text: '' }], last: true })),
    ];
  },

  fault: (fault) => {
    const { status, body } = put(fault);
    const details =
      fault.retryAfterSeconds === undefined
        ? []
        : [
            {
              '@type': 'type.googleapis.com/google.rpc.RetryInfo',
              retryDelay: `${fault.retryAfterSeconds}s`,
            },
          ];
    return { status, body: { error: { code: status, ...body, ...(details.length > 0 && { details }) } } };
  },
  failureFrame: () =>
    sse({
      error: {
        code: 503,
        message: 'The model is overloaded. Please try again later.',
        status: 'UNAVAILABLE',
      },
    }),
};

interface Said {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: object;
  readonly thoughtSignature?: string | undefined;
}

function parts({ text, reasoning, calls }: Turn): Said[] {
  return [
    ...(reasoning ? [{ text: reasoning.text, thought: true }] : []),
    // Without calls the signature is on the answer; with calls it is on the first of them.
    ...(text === ''
      ? []
      : [{ text, ...(reasoning && calls.length === 0 && { thoughtSignature: reasoning.signature }) }]),
    ...calls.map(({ id, name, input }, index) => ({
      functionCall: { id, name, args: input },
      ...(reasoning && index === 0 && { thoughtSignature: reasoning.signature }),
    })),
  ];
}

function candidate(
  turn: Turn,
  request: WireRequest,
  { parts, last }: { parts: readonly object[]; last: boolean },
): object {
  const { input, output, cacheRead, reasoning = 0 } = turn.usage;
  return {
    candidates: [
      { content: { role: 'model', parts }, index: 0, ...(last && { finishReason: FINISH[turn.finish] }) },
    ],
    usageMetadata: {
      promptTokenCount: input,
      ...(last && { candidatesTokenCount: output - reasoning }),
      ...(last && reasoning > 0 && { thoughtsTokenCount: reasoning }),
      ...(cacheRead !== undefined && { cachedContentTokenCount: cacheRead }),
      totalTokenCount: input + (last ? output : 0),
    },
    modelVersion: /models\/([^:]+):/.exec(request.path)?.[1],
    responseId: 'wire',
  };
}

function put({ kind, message, tokens, limit }: Fault): Pick<FaultAnswer, 'status'> & { body: object } {
  const invalid = (text: string) => ({ status: 400, body: { message: text, status: 'INVALID_ARGUMENT' } });
  switch (kind) {
    // Google calls a wrong key an invalid argument, with status 400.
    case 'unauthorized':
      return invalid(message ?? 'API key not valid. Please pass a valid API key.');
    case 'no-credit':
    case 'rate-limited':
      return {
        status: 429,
        body: {
          message: 'You exceeded your current quota, please check your plan and billing details.',
          status: 'RESOURCE_EXHAUSTED',
        },
      };
    case 'server-error':
      return { status: 500, body: { message: 'An internal error has occurred.', status: 'INTERNAL' } };
    case 'overloaded':
      return { status: 503, body: { message: 'The model is overloaded.', status: 'UNAVAILABLE' } };
    case 'overflow':
      return invalid(
        `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`,
      );
    case 'unknown-model':
      return {
        status: 404,
        body: { message: 'models/gemini-nobody is not found for API version v1beta.', status: 'NOT_FOUND' },
      };
    case 'bad-request':
      return invalid(message ?? 'Request contains an invalid argument.');
  }
}
