import type { ErrorCode } from '../errors.ts';
import { sayNumber } from '../text/index.ts';
import { findCulprit } from './find-culprit.ts';
import { findOverflow, type Overflow } from './find-overflow.ts';
import type { Provider, ProviderName } from './providers.ts';
import { findRetryAfter, type ProviderFailure } from './read-failure.ts';

interface Asked extends Pick<Provider, 'label' | 'keyVariables' | 'baseUrlVariables'> {
  readonly provider: ProviderName | undefined;
  readonly model: string | undefined;
  /** The limit of the caller that ran out. */
  readonly timeoutMs: number | undefined;
}

interface Diagnosis {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What a failure means, the surest signs first. */
export function diagnoseFailure(failure: ProviderFailure, asked: Asked): Diagnosis {
  const { status, causes } = failure;
  if (
    asked.timeoutMs !== undefined ||
    causes.some((cause) => TIMEOUTS.test(cause)) ||
    status === 408 ||
    status === 504
  )
    return tooSlow(failure, asked);
  if (causes.includes('AbortError')) return { code: 'cancelled', message: 'The answer was stopped.' };

  const overflow = findOverflow(failure);
  if (overflow) return tooLong(overflow, asked);
  if (failure.name === 'AI_LoadAPIKeyError')
    return { code: 'model-not-configured', message: failure.message };
  if (failure.name === 'AI_NoSuchModelError') return { code: 'model-unknown', message: failure.message };
  if (isAboutKey(failure)) return wrongKey(failure, asked);
  if (isAboutMoney(failure)) return noCredit(failure, asked);
  if (status === 404) return notFound(failure, asked);
  if (isBusy(failure)) return busy(failure, asked);
  if ((status !== undefined && status >= 400 && status < 500) || UNSENDABLE.test(failure.name)) {
    return refused(failure, asked);
  }
  return failed(failure, asked);
}

const TIMEOUTS = /^(?:TimeoutError|ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;
const UNSENDABLE =
  /^AI_(?:Invalid(?:Prompt|Argument|DataContent|MessageRole)|Unsupported|MissingToolResult|MessageConversion)/;
const UNREADABLE = /^AI_(?:JSONParse|TypeValidation|InvalidResponseData|InvalidStreamPart|EmptyResponseBody)/;

const isAboutKey = ({ status, codes, message }: ProviderFailure) =>
  status === 401 ||
  status === 403 ||
  codes.some((code) => /^(?:authentication_error|invalid_api_key|UNAUTHENTICATED)$/.test(code)) ||
  /api key not valid|invalid api key/i.test(message);

const isAboutMoney = ({ status, codes, message }: ProviderFailure) =>
  status === 402 || codes.includes('insufficient_quota') || /credit balance is too low/i.test(message);

const isBusy = ({ status, codes, message }: ProviderFailure) =>
  status === 429 ||
  status === 529 ||
  codes.some((code) => /^(?:rate_limit\w*|overloaded_error|RESOURCE_EXHAUSTED)$/.test(code)) ||
  (status === 503 && /overload|capacity|busy/i.test(message));

function tooSlow({ status }: ProviderFailure, { label, model, timeoutMs }: Asked): Diagnosis {
  if (timeoutMs !== undefined) {
    const seconds = timeoutMs / 1000;
    return {
      code: 'model-timeout',
      message: `${nameOf(label, model)} sent nothing for ${seconds} second${seconds === 1 ? '' : 's'}, the timeout that is set. Try again, or set a longer timeout.`,
      details: { timeoutMs },
    };
  }
  return {
    code: 'model-timeout',
    message: `${nameOf(label, model)} did not answer in time${shown(status)}. Try again, or allow it more time.`,
  };
}

function tooLong(overflow: Overflow, { label, model }: Asked): Diagnosis {
  const { tokens, limit, over } = overflow;
  const count = sayNumber;
  const numbers = [
    tokens !== undefined && `${count(tokens)} tokens`,
    limit !== undefined && `${count(limit)} at most`,
    over !== undefined && `${count(over)} tokens too many`,
  ].filter((text) => text !== false);
  return {
    code: 'context-overflow',
    message: `The request is too long for ${nameOf(label, model)}${numbers.length > 0 ? ` (${numbers.join(', ')})` : ''}. Compact the session, or choose a model with a larger window.`,
    details: { ...overflow },
  };
}

function wrongKey({ status, message }: ProviderFailure, { label, keyVariables }: Asked): Diagnosis {
  const which = keyVariables.length > 0 ? `the key in ${keyVariables.join(' or ')}` : 'the key';
  return {
    code: 'model-refused',
    message: `${label} did not accept ${which}${shown(status)}: ${sentence(message)} Check that it is whole, valid, and allowed to use this model.`,
    details: { variables: keyVariables },
  };
}

function noCredit({ status, message }: ProviderFailure, { label }: Asked): Diagnosis {
  return {
    code: 'model-refused',
    message: `${label} wants the account seen to${shown(status)}: ${sentence(message)}`,
  };
}

/** A model that is not there and an address where nothing is look alike but for what the answer talks about. */
function notFound(
  { message, body, url }: ProviderFailure,
  { label, provider, model, baseUrlVariables }: Asked,
): Diagnosis {
  if (/model/i.test(message) || /"model/i.test(body)) {
    const fetchIt =
      provider === 'ollama' && model ? ` Fetch it with "ollama pull ${model}".` : ' Choose another model.';
    return {
      code: 'model-unknown',
      message: `${label} has no model ${quoted(model)}(404): ${sentence(message)}${fetchIt}`,
    };
  }
  const address = url ? (URL.parse(url)?.origin ?? url) : 'the address';
  const variable = baseUrlVariables[0] ? ` Check ${baseUrlVariables.join(' and ')}.` : '';
  const chat =
    provider === 'openai'
      ? ' A server that speaks Chat Completions only is reached as "compatible:model".'
      : '';
  return {
    code: 'model-not-configured',
    message: `There is nothing to talk to at ${address} (404): ${sentence(message)}${variable}${chat}`,
  };
}

function busy(failure: ProviderFailure, { label }: Asked): Diagnosis {
  const { wait = 'Wait a little and try again.', details } = askedToWait(failure);
  return {
    code: 'model-busy',
    message: `${label} takes no more requests for now${shown(failure.status)}: ${sentence(failure.message)} ${wait}`,
    details,
  };
}

function refused(failure: ProviderFailure, { label, model }: Asked): Diagnosis {
  const { status, message } = failure;
  return {
    code: 'model-refused',
    message: `${nameOf(label, model)} refused the request${shown(status)}: ${sentence(message)}`,
    details: { ...findCulprit(failure) },
  };
}

function failed(failure: ProviderFailure, { label, provider, model }: Asked): Diagnosis {
  const { status, message, name, causes, url } = failure;
  const who = nameOf(label, model);
  const told = sentence(message);
  if (UNREADABLE.test(name) || causes.some((cause) => UNREADABLE.test(cause))) {
    return { code: 'model-failed', message: `${who} sent what cannot be read: ${told} Try again.` };
  }
  if (status === 200) {
    return {
      code: 'model-failed',
      message: `The connection to ${label} broke in the middle of the answer. Try again.`,
    };
  }
  if (status === undefined && causes.some((cause) => /^[A-Z][A-Z0-9_]{4,}$/.test(cause))) {
    const start =
      provider === 'ollama' ? 'Start it with "ollama serve".' : 'Check the network and the address.';
    const address = (url && URL.parse(url)?.origin) || 'its address';
    return { code: 'model-failed', message: `${label} cannot be reached at ${address}: ${told} ${start}` };
  }
  const { wait = 'Try again.', details } = askedToWait(failure);
  return { code: 'model-failed', message: `${who} failed${shown(status)}: ${told} ${wait}`, details };
}

/** The time that the provider asks to wait, in words and for the rule of retries, if it names one. */
function askedToWait(failure: ProviderFailure): { wait?: string; details: Record<string, unknown> } {
  const seconds = findRetryAfter(failure);
  if (seconds === undefined) return { details: {} };
  const wait = `Wait ${seconds} second${seconds === 1 ? '' : 's'} and try again.`;
  return { wait, details: { retryAfterSeconds: seconds } };
}

const nameOf = (label: string, model: string | undefined) => (model ? `${label}'s ${model}` : label);
const quoted = (model: string | undefined) => (model ? `"${model}" ` : 'of that name ');
const shown = (status: number | undefined) => (status === undefined || status === 200 ? '' : ` (${status})`);

/** The provider's own words as one sentence; they may be long, and they may be none. */
function sentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return 'no reason was given.';
  const short = line.length > 500 ? `${line.slice(0, 500).toWellFormed()}…` : line;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
