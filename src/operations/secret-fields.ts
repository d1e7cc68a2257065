import { z } from 'zod';
import type { SecretFinder } from '../text/secrets/index.ts';
import { refused } from './refused.ts';

/** The secrets that an operation is about: those that are given, or else all that the scanner of today finds. */
export const SecretFields = {
  texts: z.array(z.string()).default([]).describe('Secrets as they are.'),
  patterns: z.array(z.string()).default([]).describe('Regular expressions that secrets fit.'),
};

const SHORTEST = 4;

export async function secretFinder({
  texts,
  patterns,
}: {
  texts: readonly string[];
  patterns: readonly string[];
}): Promise<SecretFinder> {
  if (texts.some(({ length }) => length < SHORTEST))
    throw refused(
      'usage',
      `A secret has at least ${SHORTEST} characters: what is shorter stands in other words as well.`,
    );
  const { lookFor } = await import('../text/secrets/index.ts');
  return lookFor({ texts, patterns: patterns.map((pattern) => new RegExp(pattern, 'gu')) });
}
