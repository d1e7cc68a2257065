import { ThroughlineError } from '../errors.ts';
import { PROVIDERS, type Provider, type ProviderName } from './providers.ts';

/** The key for this provider at this address, if there is one; an error that names the variable if there has to be. */
export function findKey(provider: ProviderName, env: Environment, baseUrl: string): string | undefined {
  const { keyVariables, needsKey, label }: Provider = PROVIDERS[provider];
  const key = provider === 'compatible' ? keyFor(baseUrl, env) : firstSet(env, keyVariables)?.value;
  if (key === undefined && needsKey) {
    throw new ThroughlineError(
      'model-not-configured',
      `${label} needs a key: set ${keyVariables.join(' or ')}. The model "offline" needs none.`,
      { details: { provider, variables: keyVariables } },
    );
  }
  return key;
}

/** A key goes only to the address that it was set together with; a stranger's server must not collect it. */
function keyFor(baseUrl: string, env: Environment): string | undefined {
  for (const name of ['THROUGHLINE', 'OPENAI']) {
    const key = firstSet(env, [`${name}_API_KEY`]);
    const address = firstSet(env, [`${name}_BASE_URL`]);
    const fits = address
      ? URL.parse(address.value)?.origin === new URL(baseUrl).origin
      : name === 'THROUGHLINE';
    if (key && fits) return key.value;
  }
  return undefined;
}

/** The variables that a model is picked and reached by; `process.env` fits. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The first of these variables that holds something: a variable set to nothing is not set. */
export function firstSet(
  env: Environment,
  variables: readonly string[],
): { readonly variable: string; readonly value: string } | undefined {
  for (const variable of variables) {
    const value = env[variable]?.trim();
    if (value) return { variable, value };
  }
  return undefined;
}

/** What keys look like, in bodies, headers and addresses that providers like to repeat. */
const KEYS: readonly RegExp[] = [
  /\bsk-[\w*.-]{6,}/g,
  /\b(?:AIza|AQ\.|gsk_|xai-|hf_|nvapi-|pplx-|csk-)[\w*-]{8,}/g,
  /(?<=\bBearer\s+)[\w.~+/=*-]{6,}/gi,
  /(?<=[?&](?:key|api_key|api-key|access_token)=)[^&\s"']+/gi,
];

/** Text that may be shown and logged. */
export function hideKeys(text: string): string {
  return KEYS.reduce((hidden, pattern) => hidden.replace(pattern, '[key]'), text);
}
