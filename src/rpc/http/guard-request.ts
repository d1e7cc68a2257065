import { refused } from '../../operations/index.ts';

// What a browser does for a page of another website is refused before anything else is looked at. A rebound name shows in
// Host, a forged request in Origin; neither can be set by a page.

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface GuardOptions {
  /** Names that the server may be called by, besides those of the loopback. */
  readonly hosts?: readonly string[];
  /** Pages of these origins may call it too. */
  readonly origins?: readonly string[];
}

export interface Asking {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  /** A person follows a link to the page: that shows them the page, and tells the other website nothing. */
  readonly isVisit: boolean;
}

export type Guard = (asking: Asking) => void;

/** Throws `access-denied` for what comes under another name or from another website. */
export function createGuard({ hosts = [], origins = [] }: GuardOptions = {}): Guard {
  const names = new Set([...LOOPBACK, ...hosts.map(nameIn)]);
  const pages = new Set(origins.map(originIn));
  // Nearly all requests come under the name that the one before came under.
  let last: { host: string; here: URL | undefined } = { host: '', here: undefined };
  return ({ host = '', origin, fetchSite, isVisit }) => {
    if (host !== last.host) last = { host, here: parseHost(host) };
    const { here } = last;
    if (!here || !names.has(here.hostname))
      throw refused('access-denied', 'This server does not go by that name.', { host: host.slice(0, 200) });
    if (origin !== undefined) {
      if (isSamePage(origin, here.host) || pages.has(origin)) return;
      throw refused('access-denied', 'Pages of other websites may not call this server.', {
        origin: origin.slice(0, 200),
      });
    }
    if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none' && !isVisit)
      throw refused('access-denied', 'Pages of other websites may not call this server.');
  };
}

/** Throws for a request that names its host twice (RFC 9112, 3.2): a proxy may have gone by the other one. */
export function refuseTwoHosts(rawHeaders: readonly string[]): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1) throw refused('usage', `The request has ${hosts} Host headers. Send one.`, { hosts });
}

/** A name or an address, perhaps with a port, and nothing else. */
function parseHost(host: string): URL | undefined {
  if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host)) return undefined;
  return URL.parse(`http://${host}`) ?? undefined;
}

/** The port says nothing about who asks: a name is allowed on each. */
function nameIn(host: string): string {
  const name = parseHost(host)?.hostname;
  if (name !== undefined) return name;
  throw refused('usage', `"${host}" is no name of a host. Give one like sessions.example.org.`, { host });
}

/** `null` is the origin of every page that has none. */
function originIn(given: string): string {
  const origin = URL.parse(given)?.origin ?? 'null';
  if (origin !== 'null') return origin;
  throw refused('usage', `"${given}" is no origin of a website. Give one like https://example.org.`, {
    origin: given,
  });
}

function isSamePage(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

export function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType ?? '');
}

/** From `Authorization: Bearer …`, or from the subprotocol `bearer.…`, which is all that a browser's WebSocket can send. */
export function readToken({
  authorization,
  protocols,
}: {
  authorization?: string | undefined;
  protocols?: string | undefined;
}): string | undefined {
  const bearer = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const offered = (protocols ?? '').split(',').map((protocol) => protocol.trim());
  return offered.find((protocol) => protocol.startsWith('bearer.'))?.slice('bearer.'.length);
}
