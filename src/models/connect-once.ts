import { type Connection, connect } from './connect.ts';
import type { LanguageModelV4 } from './language-model.ts';

/** By whoever fetches for them, then by everything else that makes two of them the same. */
const made = new WeakMap<typeof globalThis.fetch, Map<string, Promise<LanguageModelV4>>>();
const MOST = 100;

/**
 * Models keep nothing between calls, and each is a quarter of a megabyte of schemas. So one serves every turn that asks for
 * it: a server that answers in 500 sessions at once would otherwise hold 500.
 */
export function connectOnce(
  connection: Connection,
  { fetch }: { fetch: typeof globalThis.fetch },
): Promise<LanguageModelV4> {
  const { provider, model, baseUrl, key } = connection;
  const models = made.get(fetch) ?? new Map<string, Promise<LanguageModelV4>>();
  made.set(fetch, models);
  const name = JSON.stringify([provider, model, baseUrl, key]);
  const known = models.get(name);
  if (known) return known;
  if (models.size >= MOST) models.clear();
  const connected = connect(connection);
  models.set(name, connected);
  // A package that could not be loaded may be there the next time.
  connected.catch(() => models.delete(name));
  return connected;
}
