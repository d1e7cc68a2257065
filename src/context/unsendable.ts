import type { Entry, Message, Part, Refused } from '../record/index.ts';
import { countMessage } from '../tokens/index.ts';

// What a provider has refused stays in the log and is not sent to that model again: a line of text stands in its place.
// The list is a setting of the session, so that one refusal does not cost a request in every turn after it.

/** The entries as this model takes them. Those that nothing is wrong with are the same objects. */
export function withoutUnsendable(
  entries: readonly Entry[],
  refused: readonly Refused[],
  model: string,
): Entry[] {
  const own = refused.filter((item) => item.model === model);
  const unsigned = Math.max(0, ...own.map((item) => (item.about === 'reasoning' ? item.upTo : 0)));
  return entries.map((entry) => {
    const { body } = entry;
    if (body.kind !== 'message') return entry;
    const parts = own.filter((item) => item.about !== 'reasoning' && item.entry === entry.id);
    const foreign = body.model === model && entry.seq <= unsigned;
    if (parts.length === 0 && !foreign) return entry;
    const { model: author, ...message } = body;
    // An answer of nobody in particular goes without what only its author could read.
    const changed = { ...message, ...(author !== undefined && !foreign && { model: author }) };
    return counted(entry, { ...changed, parts: parts.reduce(withPlaceholder, body.parts) });
  });
}

function withPlaceholder(parts: readonly Part[], refused: Refused): readonly Part[] {
  if (refused.about === 'reasoning') return parts;
  const { about, part: at, item } = refused;
  const part = parts[at];
  if (!part) return parts;
  const line = { type: 'text', text: `[Not sent: this ${about} was refused by the provider.]` };
  if (item === undefined) return parts.with(at, line);
  const output = part.output as { value: readonly Part[] };
  return parts.with(at, { ...part, output: { ...output, value: output.value.with(item, line) } });
}

function counted(entry: Entry, body: Message): Entry {
  return { ...entry, body, tokens: countMessage(body) };
}
