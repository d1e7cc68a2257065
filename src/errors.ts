/** Every failure a caller can act on. The same word travels over RPC, picks the exit code and heads docs/errors.md. */
export const ERROR_CODES = [
  'session-not-found',
  'session-gone',
  'session-ambiguous',
  'session-exists',
  'session-id-invalid',
  'session-has-forks',
  'session-not-trashed',
  'session-trashed',
  'summary-missing',
  'summary-rejected',
  'nothing-to-compact',
  'compaction-stale',
  'cancelled',
  'head-too-large',
  'entry-invalid',
  'entry-conflict',
  'entry-not-found',
  'entry-unreadable',
  'turn-not-found',
  'turn-not-running',
  'blob-missing',
  'blob-damaged',
  'head-moved',
  'branches-unrelated',
  'merge-conflict',
  'merge-stale',
  'lease-held',
  'lease-lost',
  'not-saved',
  'store-busy',
  'store-full',
  'store-unwritable',
  'store-read-only',
  'store-damaged',
  'store-foreign',
  'store-closed',
  'model-unknown',
  'model-not-configured',
  'model-refused',
  'model-busy',
  'model-failed',
  'model-timeout',
  'context-overflow',
  'answer-cut',
  'project-not-found',
  'project-ambiguous',
  'project-moved',
  'fact-not-found',
  'fact-ambiguous',
  'agent-broken',
  'agent-differs',
  'transcript-unknown',
  'transcript-newer',
  'transcript-busy',
  'transcript-changed',
  'archive-unavailable',
  'archive-busy',
  'archive-not-found',
  'archive-differs',
  'archive-not-pushed',
  'feature-not-found',
  'task-not-found',
  'transition-refused',
  'access-denied',
  'request-too-large',
  'server-busy',
  'request-timeout',
  'protocol-unsupported',
  'usage',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

const BRAND = Symbol.for('throughline.error');

interface ThroughlineErrorOptions extends ErrorOptions {
  /** Facts for programs: candidates, holders, seqs. Plain JSON, so that it survives RPC and `--json`. */
  details?: Readonly<Record<string, unknown>>;
}

export class ThroughlineError extends Error {
  override readonly name = 'ThroughlineError';
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, { details = {}, ...options }: ThroughlineErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** Unlike `instanceof`, still true when two copies of the package are installed. */
export function isThroughlineError(error: unknown, code?: ErrorCode): error is ThroughlineError {
  return error instanceof Error && BRAND in error && (!code || (error as ThroughlineError).code === code);
}

/** True if the session of a call is not there: it never was, or it was purged. */
export function isSessionMissing(error: unknown): error is ThroughlineError {
  return isThroughlineError(error, 'session-not-found') || isThroughlineError(error, 'session-gone');
}
