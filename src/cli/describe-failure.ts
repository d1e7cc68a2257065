import { type Failure, failureOf } from '../operations/index.ts';
import { sayError } from './error-hints.ts';
import { EXIT_CODES, UNEXPECTED } from './exit-codes.ts';

/** A failure in the words of the command line. */
export function describeFailure(error: unknown): Failure {
  return failureOf(error, { sayError });
}

export function exitCodeOf({ code }: Failure): number {
  return (EXIT_CODES as Readonly<Record<string, number>>)[code] ?? UNEXPECTED;
}
