import { z } from 'zod';
import type { EntryBody } from './entry-body.ts';
import { Part } from './message.ts';
import { Seq } from './seq.ts';

/** The summary that a provider made itself, as it wants it back: in `meta.native` of the compaction that it wrote. */
export const NativeBlock = z.object({
  /** `provider:model`. To any other model the block says nothing. */
  model: z.string(),
  /** The log up to here is in it. */
  upTo: Seq,
  part: Part,
});
export type NativeBlock = z.infer<typeof NativeBlock>;

export function nativeBlockIn(body: EntryBody): NativeBlock | undefined {
  if (body.kind !== 'compaction' || body.by.kind !== 'provider') return undefined;
  return NativeBlock.safeParse(body.meta?.native).data;
}
