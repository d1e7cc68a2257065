import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isThroughlineError } from '../../../errors.ts';
import type { Store } from '../../../store/index.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Nothing but the server's own files is loaded or run, and no page may put it into a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
];

/** Headers of every answer; `host` is what the page may connect to, by its own name. */
export function safeHeaders(host: string): Record<string, string> {
  return {
    'content-security-policy': [...POLICY, `connect-src 'self' ws://${host} wss://${host}`].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}

/** A file of the web app, or `undefined`: files outside its folder do not exist. */
export async function readStatic(
  root: string,
  asked: string,
): Promise<{ body: Uint8Array<ArrayBuffer>; headers: Record<string, string> } | undefined> {
  const name = safeName(asked);
  if (name === undefined) return undefined;
  const type = TYPES[path.extname(name)];
  const file = path.join(root, name);
  if (type === undefined || !(await isBelow(root, file))) return undefined;
  const isNamedByContent = name.startsWith('assets/');
  return {
    body: new Uint8Array(await readFile(file)),
    headers: {
      'content-type': type,
      'cache-control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  };
}

/** The way below the folder; nothing that goes up, hides, or means something else on another system. */
function safeName(asked: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(asked.split(/[?#]/, 1)[0]!);
  } catch {
    return undefined;
  }
  if (!decoded.startsWith('/')) return undefined;
  const parts = decoded.slice(1).split('/');
  if (decoded === '/') return 'index.html';
  const isSafe = (part: string) => /^[A-Za-z0-9_@-][A-Za-z0-9._@-]*$/.test(part) && !part.includes('..');
  return parts.every(isSafe) ? parts.join('/') : undefined;
}

/** Links may lead out of a folder too. */
async function isBelow(root: string, file: string): Promise<boolean> {
  try {
    const [top, real] = await Promise.all([realpath(root), realpath(file)]);
    return real.startsWith(top + path.sep) && (await stat(real)).isFile();
  } catch {
    return false;
  }
}

/** A probe writes, and the route needs no token: one probe a second is enough for a supervisor. */
const PROBE_EVERY_MS = 1000;

/** Asks whether the store can be read and written: `undefined` if it can, else one word that says why not. */
type Readiness = () => Promise<string | undefined>;

export function createReadiness(
  store: Pick<Store, 'probe'>,
  { everyMs = PROBE_EVERY_MS }: { everyMs?: number } = {},
): Readiness {
  let newest: Promise<string | undefined> | undefined;
  let askAgain = 0;
  return () => {
    if (newest === undefined || performance.now() >= askAgain) {
      newest = store.probe().then(() => undefined, reasonIn);
      const settle = () => {
        askAgain = performance.now() + everyMs;
      };
      // Until it is settled everybody waits for this one.
      askAgain = Number.POSITIVE_INFINITY;
      newest.then(settle, settle);
    }
    return newest;
  };
}

/** `store-full` is `full`: the word of the error code, without what every one of them begins with. */
function reasonIn(error: unknown): string {
  return isThroughlineError(error) ? error.code.replace(/^store-/, '') : 'unexpected';
}
