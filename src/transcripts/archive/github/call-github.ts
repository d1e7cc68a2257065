import { setTimeout as delay } from 'node:timers/promises';
import { ThroughlineError } from '../../../errors.ts';

export interface GitHubAccess {
  /** https://api.github.com, or that of another server. */
  readonly api: string;
  readonly token: string;
  readonly wait?: (ms: number) => Promise<void>;
  readonly now?: () => number;
}

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const TRIES = 6;
/** The longest wait for a limit to end; the message says until when. */
const MOST_WAIT_MS = 90_000;

/** Asks GitHub, and asks again when it is out of breath. What it refuses comes back as it is. */
export async function callGitHub(
  { api, token, wait = (ms) => delay(ms), now = Date.now }: GitHubAccess,
  path: string,
  {
    method = 'GET',
    json,
    accept = 'application/vnd.github+json',
  }: { method?: string; json?: unknown; accept?: string } = {},
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(`${api}${path}`, {
      method,
      headers: {
        accept,
        authorization: `Bearer ${token}`,
        'user-agent': 'throughline',
        'x-github-api-version': '2022-11-28',
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const pause = answer.status >= 500 ? 500 * 2 ** attempt : limitOf(answer, now());
    if (pause === undefined) return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
    await answer.arrayBuffer();
    if (attempt >= TRIES || pause > MOST_WAIT_MS) throw busy(answer.status, pause, now());
    await wait(pause);
  }
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw new ThroughlineError(
      'archive-unavailable',
      `${new URL(url).host} cannot be reached. Nothing was archived.`,
      {
        cause,
      },
    );
  }
}

/** How long to wait, if there is a limit and it was reached. */
function limitOf({ status, headers }: Response, now: number): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(after)) return after * 1000;
  if (headers.get('x-ratelimit-remaining') === '0')
    return Math.max(0, Number(headers.get('x-ratelimit-reset')) * 1000 - now) + 1000;
  return status === 429 ? 1000 : undefined;
}

function busy(status: number, pause: number, now: number): ThroughlineError {
  const until = new Date(now + pause).toISOString();
  const message =
    status >= 500
      ? `GitHub answers with ${status}. Nothing was archived; try again later.`
      : `GitHub takes no more requests until ${until}. Nothing was archived; try again then.`;
  return new ThroughlineError('archive-busy', message, { details: { status, until } });
}
