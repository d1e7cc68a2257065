import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { refused } from '../../../operations/index.ts';

// What a browser does for a page of another website is refused before anything else is looked at. A rebound name shows in
// Host, a forged request in Origin; neither can be set by a page.

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

interface GuardOptions {
  /** Names that the server may be called by, besides those of the loopback. */
  readonly hosts?: readonly string[];
  /** Pages of these origins may call it too. */
  readonly origins?: readonly string[];
}

interface Asking {
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
export function readBearerToken({
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

/** The text of a request, if it is not too large. Read from the socket itself: making a web stream of it takes longer than the rest. */
export function readHttpBody(incoming: IncomingMessage, limit: number): Promise<string> {
  const told = Number(incoming.headers['content-length'] ?? 0);
  if (told > limit) return Promise.reject(tooLarge(told, limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= limit) chunks.push(chunk);
      else reject(tooLarge(bytes, limit));
    });
    incoming.once('end', () =>
      resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')),
    );
    incoming.once('error', () => reject(brokeOff()));
    // It closes behind every request; only before its end something is missing.
    incoming.once('close', () => incoming.readableEnded || reject(brokeOff()));
  });
}

/** The client is gone, and nothing is wrong with the server. */
function brokeOff() {
  return refused('cancelled', 'The request broke off.');
}

function tooLarge(bytes: number, limit: number) {
  return refused(
    'request-too-large',
    `The request has ${bytes} bytes or more, and the server takes ${limit} at once.`,
    { bytes, limit },
  );
}

/**
 * Keeps at most so many connections. One more takes the place of the connection that has been without a request for
 * longest, so connections that send nothing cannot shut others out; if every connection is in use, it is hung up on.
 */
export function limitConnections(server: Server, most: number): void {
  const open = new Set<Socket>();
  /** Without a request, the longest first. */
  const idle = new Set<Socket>();

  function forget(socket: Socket): void {
    open.delete(socket);
    idle.delete(socket);
  }

  server.on('connection', (socket: Socket) => {
    if (open.size >= most) {
      const leaving = idle.values().next().value ?? socket;
      forget(leaving);
      leaving.destroy();
      if (leaving === socket) return;
    }
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) idle.add(socket);
    });
  });
  server.on('upgrade', ({ socket }) => idle.delete(socket));
}
