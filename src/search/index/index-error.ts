import { type ErrorCode, ThroughlineError } from '../../errors.ts';
import { sqliteMeaning } from '../../store/index.ts';
import { isDamage } from './transact.ts';

/** What the operating system says of a file, by what it means for the index. */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'store-full',
  EDQUOT: 'store-full',
  EACCES: 'store-unwritable',
  EPERM: 'store-unwritable',
  EROFS: 'store-unwritable',
  ENOTDIR: 'store-unwritable',
  EISDIR: 'store-unwritable',
};

/** A failure of the index's file as a caller can act on it; any other error passes through. */
export function toIndexError(error: unknown, file: string): unknown {
  const meaning = meaningOf(error);
  if (!meaning) return error;
  const [code, what] = meaning;
  return new ThroughlineError(code, `The search index ${file} could not be used: ${what}.`, {
    cause: error,
    details: { location: file },
  });
}

function meaningOf(error: unknown): readonly [ErrorCode, string] | undefined {
  if (isDamage(error))
    return ['store-damaged', 'it is damaged. Delete it; it is made again from the sessions'];
  const { code = '', message } = (error ?? {}) as NodeJS.ErrnoException;
  const refusal = REFUSALS[code];
  return refusal ? [refusal, `${message}. The sessions are safe`] : sqliteMeaning(error);
}
