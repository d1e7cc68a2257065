import { z } from 'zod';
import { isThroughlineError } from '../errors.ts';
import type { Request } from './operation.ts';

/** One of several things that a run did went wrong; it is listed beside those that went well. */
export const Failure = z.strictObject({
  code: z.string().describe('The code of the error, or `unexpected`.'),
  message: z.string(),
});
export type Failure = z.output<typeof Failure>;

export function failureOfOperation(
  error: unknown,
  { sayError = messageOf }: Pick<Request, 'sayError'> = {},
): Failure {
  return { code: isThroughlineError(error) ? error.code : 'unexpected', message: sayError(error) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
