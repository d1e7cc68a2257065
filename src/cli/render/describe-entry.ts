import type { Entry } from '../../record/index.ts';

/**
 * An entry as `--json` shows it: the fields of its body beside its own. Where both have a field of one name (a to-do
 * has an `id` too) the body's stands under `body`, so that neither is lost.
 */
export function describeEntry({ id, seq, at, tokens, body }: Entry): Record<string, unknown> {
  const own = { id, seq, at, tokens };
  const { kind, ...fields } = body as { kind: string } & Record<string, unknown>;
  const [taken, free] = [{}, {}] as [Record<string, unknown>, Record<string, unknown>];
  for (const [name, value] of Object.entries(fields)) {
    if (name in own || name === 'body') taken[name] = value;
    else free[name] = value;
  }
  return { id, seq, at, kind, tokens, ...free, ...(Object.keys(taken).length > 0 && { body: taken }) };
}
