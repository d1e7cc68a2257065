import { ThroughlineError } from '../errors.ts';
import { type EntryId, type Message, newEntryId, type Part, toEntryId } from '../record/index.ts';

/** What a person says: a text, or the parts of something that holds more than text. */
export type TurnInput =
  | string
  | readonly Part[]
  | {
      /** Makes a retry safe, in this process or another: the same id goes on with the same turn. */
      readonly id?: EntryId;
      readonly parts: string | readonly Part[];
      readonly meta?: Readonly<Record<string, unknown>>;
    };

/** An input on its way into the log. */
export interface Given {
  readonly id: EntryId;
  readonly body: Message;
}

/** Refuses what says nothing: a blank line is not a query. */
export function readInput(input: TurnInput): Given {
  const {
    id = newEntryId(),
    parts: said,
    meta,
  }: Exclude<TurnInput, string | readonly Part[]> = isPlain(input) ? { parts: input } : input;
  const parts = typeof said === 'string' ? [{ type: 'text', text: said }] : said;
  if (!parts.some(saysSomething)) {
    throw new ThroughlineError('usage', 'There is nothing to send: the message is empty.');
  }
  return { id: toEntryId(id) ?? id, body: { kind: 'message', role: 'user', parts, ...(meta && { meta }) } };
}

function isPlain(input: TurnInput): input is string | readonly Part[] {
  return typeof input === 'string' || Array.isArray(input);
}

function saysSomething({ type, text }: Part): boolean {
  return type !== 'text' || typeof text !== 'string' || text.trim() !== '';
}
