import { type ErrorCode, ThroughlineError } from '../errors.ts';

/** The error of a request that is not carried out: the code is the same word on every face. */
export function refused(
  code: ErrorCode,
  message: string,
  details: Record<string, unknown> = {},
): ThroughlineError {
  return new ThroughlineError(code, message, { details });
}
