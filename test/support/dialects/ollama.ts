import type { Dialect } from '../wire-dialect.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiFault } from './openai-faults.ts';

/** Ollama's OpenAI-compatible address: Chat Completions with errors of its own. */
export const ollama: Dialect = {
  ...openaiChat,
  reference: 'ollama:qwen3',
  env: ({ origin, key }) => ({ OLLAMA_HOST: origin, OLLAMA_API_KEY: key }),

  fault(fault, request) {
    const over = (fault.tokens ?? 0) - (fault.limit ?? 0);
    const { status, headers, body } = openaiFault(
      fault,
      `prompt too long; exceeded max context length by ${over} tokens`,
    );
    const { error } = body as { error: { message: string } };
    const message =
      fault.kind === 'unknown-model' ? `model '${request.body.model}' not found` : error.message;
    const type = status === 404 ? 'not_found_error' : status < 500 ? 'invalid_request_error' : 'api_error';
    return {
      status,
      ...(headers && { headers }),
      body: { error: { message, type, param: null, code: null } },
    };
  },
};
