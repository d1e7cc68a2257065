import type { Failure } from './read-failure.ts';

/** How many seconds the provider asks to wait, rounded up; as a header or, with Google, in the body. */
export function findRetryAfter({ headers, body }: Failure, now = Date.now()): number | undefined {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (milliseconds >= 0) return Math.ceil(milliseconds / 1000);

  const after = headers['retry-after'] ?? /"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1];
  if (after === undefined) return undefined;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
