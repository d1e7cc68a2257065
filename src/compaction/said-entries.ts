import { isOfflineAnswer } from '../models/index.ts';
import type { Entry } from '../record/index.ts';
import { withoutNumber } from '../text/index.ts';

/**
 * Entries as a summary reads them. Answers without a model are no source: how to connect one would become a topic. The
 * number that a loop puts before a question is not part of the sentence that follows it.
 */
export function saidEntries(entries: readonly Entry[]): readonly Entry[] {
  const said = entries.filter(({ body }) => !isOfflineAnswer(body));
  return (said.length > 0 ? said : entries).map(asAsked);
}

function asAsked(entry: Entry): Entry {
  const { body } = entry;
  if (body.kind !== 'message' || body.role !== 'user') return entry;
  const [first, ...rest] = body.parts;
  const text = first?.text;
  const question = typeof text === 'string' ? withoutNumber(text) : text;
  if (question === text) return entry;
  return { ...entry, body: { ...body, parts: [{ ...first!, text: question }, ...rest] } };
}
