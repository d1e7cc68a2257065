import {
  type Entry,
  type EntryId,
  isPinned,
  isQuestion,
  type Message,
  type Part,
  type Refused,
} from '../../record/index.ts';
import { countMessage } from '../../tokens/index.ts';
import type { ContextState } from '../context.ts';

type Spoken = Pick<ContextState, 'frontier' | 'pinned'>;

/**
 * Answers of the newest turn that stopped halfway and that no whole one has followed, with the results of their calls. When the
 * question is asked again they are not sent: the model answers afresh, and no provider is asked to go on from half a
 * sentence, which many refuse.
 */
export function cutAnswers(log: readonly Entry[]): Set<EntryId> {
  const asked = log.findLastIndex(isQuestion);
  const entries = log.slice(asked + 1);
  const hidden = new Set<EntryId>();
  const calls = new Set<unknown>();
  const whole = entries.findLastIndex(
    ({ body }) => body.kind === 'message' && body.role === 'assistant' && body.status !== 'interrupted',
  );
  for (const { id, body } of entries.slice(whole + 1)) {
    if (body.kind !== 'message') continue;
    const isCut = body.role === 'assistant';
    for (const { type, toolCallId } of body.parts) if (isCut && type === 'tool-call') calls.add(toolCallId);
    if (isCut || body.parts.every(({ toolCallId }) => calls.has(toolCallId))) hidden.add(id);
  }
  return hidden;
}

/** A conversation without these answers. One that is pinned is among the pins then: those are sent whatever happens. */
export function withoutAnswers(
  { frontier, pinned, marks }: Spoken & Pick<ContextState, 'marks'>,
  answers: ReadonlySet<EntryId>,
): Spoken {
  if (answers.size === 0) return { frontier, pinned };
  return {
    frontier: frontier.filter(({ id }) => !answers.has(id)),
    pinned: [...pinned, ...frontier.filter((entry) => answers.has(entry.id) && isPinned(marks, entry))],
  };
}

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
    // An answer for any model goes without the parts that only its author could read.
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
