import { ThroughlineError } from '../errors.ts';
import { type Environment, firstSet } from './find-key.ts';
import { PROVIDERS, type Provider, type ProviderName } from './providers.ts';

/** Where a provider is asked: as given, as the environment says, or where it always is. */
export function baseUrlOf(provider: ProviderName, env: Environment, given?: string): string {
  const { baseUrl, baseUrlVariables }: Provider = PROVIDERS[provider];
  const found =
    given === undefined ? firstSet(env, baseUrlVariables) : { variable: 'the reference', value: given };
  if (!found && baseUrl === undefined) {
    throw new ThroughlineError(
      'model-not-configured',
      `A compatible server needs an address: set ${baseUrlVariables[0]}, or write it behind the model, as in "compatible:qwen3@http://127.0.0.1:1234/v1".`,
      { details: { provider, variables: baseUrlVariables } },
    );
  }
  if (!found) return baseUrl!;
  const url = readUrl(provider === 'ollama' ? ollamaAddress(found.value) : found.value, found.variable);
  return withVersion(provider, url.origin + url.pathname.replace(/\/+$/, ''));
}

function readUrl(text: string, source: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  const wrong =
    url?.username || url?.password ? 'holds a password; keys go into THROUGHLINE_API_KEY' : 'is no address';
  throw new ThroughlineError(
    'model-not-configured',
    `What ${source} says ${wrong}. Write it as http://host:port/v1.`,
  );
}

/** Ollama's variable holds what the server listens on, and may lack anything but one of host and port. */
function ollamaAddress(host: string): string {
  const { scheme, rest } = /^(?:(?<scheme>https?):\/\/)?(?<rest>.*)$/s.exec(host)!.groups as {
    scheme?: string;
    rest: string;
  };
  const [authority = '', ...path] = rest.split('/');
  const { name, port } = /^(?<name>\[[^\]]*\]|[^:]*)(?::(?<port>\d+))?$/.exec(authority)?.groups ?? {};
  // To listen on every address is not an address to call.
  const callable = !name || name === '0.0.0.0' ? '127.0.0.1' : name === '[::]' ? '[::1]' : name;
  return `${scheme ?? 'http'}://${callable}${port ? `:${port}` : scheme ? '' : ':11434'}/${path.join('/')}`;
}

/** People give these addresses with and without the version, as the makers' own programs take them. */
function withVersion(provider: ProviderName, url: string): string {
  if (/\/v\d\w*$/.test(url)) return url;
  if (provider === 'anthropic' || provider === 'ollama') return `${url}/v1`;
  return provider === 'google' ? `${url}/v1beta` : url;
}
