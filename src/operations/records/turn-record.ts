import { z } from 'zod';
import { UsageField } from '../fields.ts';

export const WaitingRecord = z
  .strictObject({
    id: z.string().describe('The id that the message will have.'),
    content: z.string().describe('Its text.'),
    createdAt: z.number(),
  })
  .meta({ id: 'Waiting' });
export type WaitingRecord = z.infer<typeof WaitingRecord>;

export const TurnAnswerRecord = z
  .strictObject({
    id: z.string().describe('The id of its question.'),
    status: z
      .enum(['waiting', 'running', 'complete', 'interrupted', 'failed', 'step-limit'])
      .describe('The last three have no whole answer: `turn/retry` asks again.'),
    seq: z.int().nullable().describe('The entry of the question; `null` while it waits.'),
    question: z.string().describe('How the question begins.'),
    askedAt: z
      .number()
      .describe(
        'When the question became an entry of the log, in milliseconds since 1970; while it waits, when it was accepted.',
      ),
    beganAt: z.number().nullable(),
    endedAt: z.number().nullable(),
    attempts: z.int().describe('How often it was begun.'),
    answer: z.string().nullable().describe('The id of the newest answer, whole or not.'),
    model: z.string().nullable(),
    answers: z.int().describe('Model calls that ended in a whole answer.'),
    usage: UsageField,
    cutBy: z
      .enum(['person', 'shutdown', 'crash', 'provider'])
      .nullable()
      .describe('What cut an interrupted turn, if the log tells.'),
    error: z
      .strictObject({ code: z.string(), message: z.string() })
      .nullable()
      .describe(
        'Why it failed, or why its provider cut it (`answer-cut`); of one that waits, why nothing begins it.',
      ),
  })
  .meta({ id: 'Turn' });
export type TurnAnswerRecord = z.infer<typeof TurnAnswerRecord>;
