import { z } from 'zod';

/** The largest seq: a store packs the session and the seq into one 64-bit key, 32 bits of it for the seq. */
export const MAX_SEQ = 2 ** 32 - 1;

/** Counts 1, 2, 3 … along a session's whole lineage; 0 is "before the first entry". */
export const Seq = z.int().min(0).max(MAX_SEQ);
export type Seq = z.infer<typeof Seq>;
