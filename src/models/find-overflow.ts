import type { ProviderFailure } from './read-failure.ts';

/** A request that is longer than the model takes, with the numbers as far as the provider gave them. */
export interface Overflow {
  /** The requested tokens, the room for the answer included where the provider counts it in. */
  readonly tokens?: number;
  readonly limit?: number;
  /** The excess, where only that is reported. */
  readonly over?: number;
}

const N = String.raw`[\d,_]+`;
const pattern = (text: string) =>
  new RegExp(text.replaceAll('#', `(?<tokens>${N})`).replaceAll('§', `(?<limit>${N})`), 'is');

/** In the words of each; `#` is the size of the request, `§` the limit. Numbers first, so that they are found. */
const SAYINGS: readonly RegExp[] = [
  // Anthropic
  pattern('prompt is too long(?:: # tokens > § maximum)?'),
  pattern(`exceed context limit: # \\+ (?<output>${N}) > §`),
  // OpenAI's APIs, OpenRouter, vLLM, DeepSeek
  pattern(
    `too large: (?<output>${N})\\. This model's maximum context length is § tokens and your request has # input`,
  ),
  pattern('maximum context length (?:is|of) § tokens.{0,80}?(?:requested|resulted in)(?: about)? # tokens'),
  pattern('maximum context length (?:is|of) § tokens'),
  pattern('exceeds the context window'),
  // One request over the limit per minute: waiting never helps, a shorter one does.
  pattern('request too large for .*?limit:? §,? requested:? #'),
  // Google
  pattern('input token count(?: \\(#\\))? exceeds the maximum number of tokens allowed \\(?§\\)?'),
  // Ollama
  pattern(`prompt too long; exceeded max context length by (?<over>${N}) tokens`),
  pattern('input (?:length )?exceeds (?:the )?(?:maximum )?context length'),
  // llama.cpp, before and after it learnt to count
  pattern('request \\(# tokens\\) exceeds the available context size \\(§ tokens\\)'),
  pattern('exceeds the available context size'),
  // vLLM's engine
  pattern(
    'prompt \\((?:total )?length #\\) is (?:too long|longer).*?(?:context length|maximum model length of) §',
  ),
  // LM Studio
  pattern('first # tokens when context the overflows.*?context length of only § tokens'),
  pattern('tokens to keep from the initial prompt is greater than the context length'),
  // xAI, Mistral, Kimi, Copilot, SiliconFlow, text-generation-inference, Bedrock, MiniMax
  pattern('maximum prompt length is § but the request contains # tokens'),
  pattern('prompt contains # tokens.*?too large for model with § maximum context length'),
  pattern('exceeded model token limit: § \\(requested: #\\)'),
  pattern('prompt token count of # exceeds the limit of §'),
  pattern('prompt_tokens \\(#\\) must be less than max_seq_len \\(§\\)'),
  pattern('must be <= §\\. given: # `inputs` tokens'),
  pattern('input is too long for requested model'),
  pattern('context window exceeds limit'),
  pattern('reduce the length of the messages'),
];

const CODES =
  /^(?:context_length_exceeded|exceed_context_size_error|request_too_large|model_context_window_exceeded)$/;

/** Whether the provider turned the request down for its length. */
export function findOverflow({ status, message, body, codes }: ProviderFailure): Overflow | undefined {
  if (status === 401 || status === 403) return undefined;
  const said = `${message}\n${body}`;
  for (const saying of SAYINGS) {
    const groups = saying.exec(said)?.groups;
    if (groups !== undefined || saying.test(said)) return numbersOf(groups ?? {});
  }
  if (status !== 413 && !codes.some((code) => CODES.test(code))) return undefined;
  const [, tokens] = /"n_prompt_tokens":\s*(\d+)/.exec(body) ?? [];
  const [, limit] = /"n_ctx":\s*(\d+)/.exec(body) ?? [];
  return numbersOf({ tokens, limit });
}

function numbersOf({ tokens, output, limit, over }: Record<string, string | undefined>): Overflow {
  const read = (text: string | undefined) =>
    text === undefined ? undefined : Number(text.replace(/[,_]/g, ''));
  const sent = read(tokens);
  const [most, excess] = [read(limit), read(over)];
  return {
    ...(sent !== undefined && { tokens: sent + (read(output) ?? 0) }),
    ...(most !== undefined && { limit: most }),
    ...(excess !== undefined && { over: excess }),
  };
}
