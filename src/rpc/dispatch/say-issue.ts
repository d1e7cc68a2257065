import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Of every way to write a value, at most so many faults are named. */
const MOST_NAMED = 3;

/** An issue with the field that is wrong. Where a value can be written in several ways, what is wrong with each. */
export function sayIssue(issue: Issue, above: readonly PropertyKey[] = []): string {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0)
    return issue.errors
      .map((issues) =>
        issues
          .slice(0, MOST_NAMED)
          .map((each) => sayIssue(each, path))
          .join(', '),
      )
      .join('; or ');
  return `${path.length > 0 ? `"${path.map(String).join('.')}": ` : ''}${issue.message}`;
}
