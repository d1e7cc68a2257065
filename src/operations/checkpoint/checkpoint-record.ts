import { z } from 'zod';
import type { Checkpoint } from '../../summary/index.ts';

const Line = z.looseObject({
  text: z.string(),
  from: z.array(z.string()).describe('The entries it came from.'),
});

export const CheckpointRecord = z.looseObject({
  completed: z.array(Line),
  pending: z.array(Line),
  decisions: z.array(Line),
  blockers: z.array(Line),
  facts: z.array(Line),
  files: z.array(
    z.looseObject({
      path: z.string(),
      operations: z.array(z.string()),
      from: z.array(z.string()).optional(),
    }),
  ),
});

export type CheckpointRecord = z.output<typeof CheckpointRecord>;

export const Version = z.int().min(1);

export const CheckpointVersion = z.strictObject({
  version: Version,
  seq: z.int(),
  at: z.number(),
  by: z.looseObject({ kind: z.string() }).describe('A summary’s author, `restored` or `merged`.'),
});

export type CheckpointVersion = z.output<typeof CheckpointVersion>;

export const CheckpointChange = z.strictObject({
  list: z.string(),
  change: z.enum(['added', 'removed', 'reworded']),
  text: z.string(),
  was: z.string().optional(),
});
export type CheckpointChange = z.output<typeof CheckpointChange>;

export function toCheckpointRecord(state: Checkpoint): CheckpointRecord {
  return state as unknown as CheckpointRecord;
}
