/**
 * What happened to a model call, read from whatever the AI SDK throws or puts into a stream. Errors are recognised by their
 * names and fields and not by class: that needs no import, and holds when two copies of the SDK are installed.
 */
export interface ProviderFailure {
  readonly name: string;
  readonly message: string;
  /** As HTTP counts, also where a provider reports in the middle of a stream. */
  readonly status?: number;
  /** The provider's own words for it: error types, codes and states. */
  readonly codes: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly url?: string;
  /** Names and system codes of everything below, outermost first. */
  readonly causes: readonly string[];
}

export function readFailure(thrown: unknown): ProviderFailure {
  const error = innermost(thrown);
  const { status: reported, statusCode = reported, responseHeaders, url } = error;
  const body = typeof error.responseBody === 'string' ? error.responseBody.slice(0, 10_000) : '';
  const told = [error, error.data, parse(body)].flatMap(detailsIn);
  return {
    name: text(error.name) ?? '',
    message: told.map(({ message }) => text(message)).find((message) => message) ?? text(thrown) ?? '',
    ...(typeof statusCode === 'number' && { status: statusCode }),
    codes: told.flatMap(({ code, type, status }) =>
      [code, type, status].filter((word) => typeof word === 'string'),
    ),
    headers: (responseHeaders ?? {}) as Record<string, string>,
    body,
    ...(typeof url === 'string' && { url }),
    causes: causesOf(error),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Retries and "no output" are wrappings: what counts is the last thing that went wrong inside. */
function innermost(thrown: unknown): Fields {
  let error = fields(thrown);
  for (let depth = 0; depth < 8; depth++) {
    const inner =
      error.lastError ??
      (/^AI_No(?:Output|Object|Content)GeneratedError$/.test(String(error.name)) ? error.cause : undefined) ??
      (error.type === 'error' && error.error instanceof Error ? error.error : undefined);
    if (typeof inner !== 'object' || inner === null) return error;
    error = fields(inner);
  }
  return error;
}

/** Providers put their words at the top, in `error`, or in `response.error`. */
function detailsIn(value: unknown): Fields[] {
  const outer = fields(value);
  return [fields(outer.error), fields(fields(outer.response).error), outer];
}

function causesOf(error: Fields): string[] {
  const causes: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth++) {
    const { name, code, cause } = fields(current);
    causes.push(...[name, code].filter((word) => typeof word === 'string'));
    current = cause;
  }
  return causes;
}

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

function parse(body: string): unknown {
  try {
    // Google's streams come as a list when they are not asked for as events.
    const value: unknown = JSON.parse(body);
    return Array.isArray(value) ? value[0] : value;
  } catch {
    return undefined;
  }
}

/** How many seconds the provider asks to wait, rounded up; as a header or, with Google, in the body. */
export function findRetryAfter({ headers, body }: ProviderFailure, now = Date.now()): number | undefined {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (milliseconds >= 0) return Math.ceil(milliseconds / 1000);

  const after = headers['retry-after'] ?? /"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1];
  if (after === undefined) return undefined;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
