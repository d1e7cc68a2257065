import { ThroughlineError } from '../errors.ts';
import type { Connection } from './connect.ts';
import { explainModelError } from './explain-model-error.ts';

const PATIENCE_MS = 5_000;

/** The first model that a server offers, for people who name only the server. Ollama lists the newest first. */
export async function firstModel(server: Omit<Connection, 'model'>): Promise<string> {
  const { provider, baseUrl, key, fetch } = server;
  const url = `${baseUrl}/models`;
  const explain = (failure: object) => explainModelError({ ...failure, url }, { provider, model: '' });

  const response = await fetch(url, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(({ name, message, cause }: Error & { cause?: Error }) => {
    throw explain({ name, message: cause?.message ?? message, cause });
  });
  const { status, statusText } = response;
  const responseBody = await response.text();
  if (!response.ok) throw explain({ statusCode: status, message: statusText, responseBody });

  const name = firstName(responseBody);
  if (name !== undefined) return name;
  const advice =
    provider === 'ollama' ? 'Fetch one with "ollama pull qwen3".' : `Name one, as in "${provider}:name".`;
  throw new ThroughlineError('model-unknown', `There is no model at ${baseUrl}. ${advice}`, {
    details: { provider },
  });
}

function firstName(body: string): string | undefined {
  try {
    const { data } = JSON.parse(body) as { data?: readonly { id?: unknown }[] };
    return data?.map(({ id }) => id).find((id) => typeof id === 'string');
  } catch {
    return undefined;
  }
}
