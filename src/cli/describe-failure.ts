import { isThroughlineError } from '../errors.ts';
import { sayError } from './error-hints.ts';
import { EXIT_CODES, UNEXPECTED } from './exit-codes.ts';

/** One of several things that a command did went wrong; it is told beside what went well. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

export function describeFailure(error: unknown): Failure {
  return { code: isThroughlineError(error) ? error.code : 'unexpected', message: sayError(error) };
}

export function exitCodeOf({ code }: Failure): number {
  return (EXIT_CODES as Readonly<Record<string, number>>)[code] ?? UNEXPECTED;
}
