import { type Message, REQUEST_NOTES, TURN_NOTES } from '../../record/index.ts';
import { fieldsOf, isFields } from '../source/fields.ts';
import type { FoundBody } from '../transcript.ts';

// What turns note about their requests is believed: what a model was sent, how it counts tokens. A file may come from
// anywhere, so such notes are taken only from one that its owner vouches for; those of others are kept where nothing reads them.

const LEFT_OUT = 'notes-left-out';

/** The entry as a file that its owner does not vouch for may bring it along. */
export function withoutNotes<One extends { readonly body: FoundBody }>(entry: One): One {
  const { body } = entry;
  return body.kind === 'message' ? { ...entry, body: withoutRequest(body) } : entry;
}

/** What an answer says about its request, out of the way. How its turn went is the conversation's, and stays. */
function withoutRequest(body: Message): Message {
  const { meta } = body;
  if (!meta || !TURN_NOTES.some((name) => Object.hasOwn(meta, name))) return body;
  const { run, request, recalled, ...rest } = meta;
  const told = Object.entries(fieldsOf(run));
  const isOfRequest = ([name]: [string, unknown]) => REQUEST_NOTES.some((note) => note === name);
  const left = {
    ...Object.fromEntries(told.filter(isOfRequest)),
    ...(request !== undefined && { request }),
    ...(recalled !== undefined && { recalled }),
  };
  if (Object.keys(left).length === 0) return body;
  const ofTurn = isFields(run) ? Object.fromEntries(told.filter((one) => !isOfRequest(one))) : run;
  return { ...body, meta: { ...rest, ...(run !== undefined && { run: ofTurn }), [LEFT_OUT]: left } };
}
