import type { z } from 'zod';
import { refused } from './refused.ts';

/** Issues that an error names in its details. */
const MOST_LISTED = 10;
/** Of every way to write a value, at most so many faults are named. */
const MOST_NAMED = 3;

/**
 * The parameters with their defaults, or `usage` with the first thing that is wrong. `taker` is the word for the thing
 * that takes them ("method", "tool"): with it the message lists the fields there are.
 */
export function checkParams<Params extends z.ZodObject>(
  schema: Params,
  params: unknown,
  { taker }: { taker?: string } = {},
): z.output<Params> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const all = parsed.error.issues;
  const fields = Object.keys(schema.shape).join(', ') || 'nothing';
  const message = [
    `${all[0] ? sayIssue(all[0]) : 'Invalid input'}.`,
    ...(taker === undefined ? [] : [`The ${taker} takes ${fields}.`]),
  ];
  const issues = all.slice(0, MOST_LISTED).map((issue) => ({
    path: issue.path.map(String),
    message: issue.message,
  }));
  throw refused('usage', message.join(' '), { issues });
}

type Issue = z.core.$ZodIssue;

/** An issue with the field that is wrong. Where a value can be written in several ways, the fault of each. */
function sayIssue(issue: Issue, above: readonly PropertyKey[] = []): string {
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
