import type { Failure } from '../../operations/index.ts';
import { EXIT_CODES, UNEXPECTED } from './exit-codes.ts';

export function exitCodeOf({ code }: Failure): number {
  return (EXIT_CODES as Readonly<Record<string, number>>)[code] ?? UNEXPECTED;
}
