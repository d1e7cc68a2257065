import { z } from 'zod';
import { SessionField } from '../../operations/index.ts';
import { method } from './method.ts';

const Line = z.looseObject({
  text: z.string(),
  from: z.array(z.string()).describe('The entries it came from.'),
});

const CheckpointRecord = z.looseObject({
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

const Version = z.int().min(1);

export const CheckpointVersion = z.strictObject({
  version: Version,
  seq: z.int(),
  at: z.number(),
  by: z.looseObject({ kind: z.string() }).describe('A summary’s author, `restored` or `merged`.'),
});

export const checkpoint = {
  'checkpoint/get': method({
    summary: 'The state of the work: what is done, open, decided, blocked and known.',
    params: z.strictObject({
      sessionId: SessionField,
      version: Version.optional().describe('The newest unless given.'),
    }),
    result: z.strictObject({
      sessionId: z.string(),
      version: z.int().describe('0 before the first compaction.'),
      versions: z.int(),
      checkpoint: CheckpointRecord,
    }),
  }),
  'checkpoint/history': method({
    summary: 'Every version there was, oldest first.',
    params: z.strictObject({ sessionId: SessionField }),
    result: z.strictObject({ versions: z.array(CheckpointVersion) }),
  }),
  'checkpoint/diff': method({
    summary: 'What changed from one version to another, line by line.',
    params: z.strictObject({
      sessionId: SessionField,
      from: z.int().min(0).describe('0 is the empty one.'),
      to: Version.optional().describe('The newest unless given.'),
    }),
    result: z.strictObject({
      from: z.int(),
      to: z.int(),
      changes: z.array(
        z.strictObject({
          list: z.string(),
          change: z.enum(['added', 'removed', 'reworded']),
          text: z.string(),
          was: z.string().optional(),
        }),
      ),
    }),
  }),
  'checkpoint/restore': method({
    summary: 'Makes an older version the current one. Appends, like everything else.',
    writes: true,
    params: z.strictObject({ sessionId: SessionField, version: Version }),
    result: z.strictObject({ version: z.int(), restored: z.int(), checkpoint: CheckpointRecord }),
  }),
} as const;
