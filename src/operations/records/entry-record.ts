import { z } from 'zod';
import {
  type Entry,
  type EntryBody,
  type EntryKind,
  READABLE_BODIES,
  UnknownBody,
} from '../../record/index.ts';

// The bodies of entries as they are read from a log, kind by kind. Fields of a newer version are kept, so none of them is
// closed; a kind that this version does not know comes as `unknown`.

/** `message` is described as `MessageBody`. */
export const nameOfBody = (kind: string) => `${kind[0]!.toUpperCase()}${kind.slice(1)}Body`;

const bodies = Object.entries(READABLE_BODIES).map(([kind, schema]) =>
  (schema as z.ZodType).meta({ id: nameOfBody(kind satisfies string as EntryKind) }),
);

export const EntryBodySchema = z
  .union([...bodies, UnknownBody.loose().meta({ id: nameOfBody('unknown') })])
  .meta({ id: 'EntryBody' }) as unknown as z.ZodType<EntryBody>;

/** An entry as it stands in the log. */
export const EntryRecord = z
  .strictObject({
    id: z.string(),
    seq: z.int(),
    at: z.number(),
    tokens: z.int(),
    body: EntryBodySchema,
  })
  .meta({ id: 'Entry' });
export type EntryRecord = z.infer<typeof EntryRecord>;

export function toEntryRecord({ id, seq, at, tokens, body }: Entry): EntryRecord {
  return { id, seq, at, tokens, body: body as EntryRecord['body'] };
}
