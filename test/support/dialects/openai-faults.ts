import { type FaultAnswer, retryAfter } from '../wire-dialect.ts';
import type { Fault } from '../wire-script.ts';

interface Put {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
}

/** OpenAI's errors, the same for both of its APIs but for what they say of a request that is too long. */
export function openaiFault(fault: Fault, overflowMessage: string): FaultAnswer {
  const { status, message, type, code } = put(fault, overflowMessage);
  return { status, headers: retryAfter(fault), body: { error: { message, type, param: null, code } } };
}

function put({ kind, message }: Fault, overflowMessage: string): Put {
  const invalid = { status: 400, type: 'invalid_request_error' };
  switch (kind) {
    case 'unauthorized':
      return {
        ...invalid,
        status: 401,
        message: message ?? 'Incorrect API key provided. You can find your API key in your account settings.',
        code: 'invalid_api_key',
      };
    case 'no-credit':
      return {
        status: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      };
    case 'rate-limited':
      return {
        status: 429,
        message:
          'Rate limit reached for gpt-6.1-sol on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      };
    case 'server-error':
      return { status: 500, message: 'The server had an error', type: 'server_error', code: null };
    case 'overloaded':
      return {
        status: 503,
        message: 'The engine is currently overloaded, please try again later',
        type: 'server_error',
        code: null,
      };
    case 'overflow':
      return { ...invalid, message: overflowMessage, code: 'context_length_exceeded' };
    case 'unknown-model':
      return {
        ...invalid,
        status: 404,
        message: 'The model `gpt-nobody` does not exist or you do not have access to it.',
        code: 'model_not_found',
      };
    case 'bad-request':
      return { ...invalid, message: message ?? 'Invalid request.', code: null };
  }
}
