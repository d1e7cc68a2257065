import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { inject } from 'vitest';
import { addToken, createRpcServer, hashToken, type RpcServer } from '../../src/faces/rpc/index.ts';
import { openStore, type Store } from '../../src/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { type Script, startWireServer, type WireServer } from '../support/wire-server.ts';

export const TOKEN = 'a-token-for-tests-0123456789abcdef';
/** Of somebody who may read everything and change nothing. */
export const READER = 'a-token-of-a-reader-0123456789abcdef';
/** Without a browser on the machine there is nothing to look at. */
export const hasBrowser = inject('chromium') !== '';

export interface Stage extends AsyncDisposable {
  readonly store: Store;
  readonly model: WireServer;
  readonly browser: Browser;
  /** The running server; another one after a restart. */
  readonly server: RpcServer;
  stop(): Promise<void>;
  /** On the same port, with the same token unless another is given. */
  start(options?: { token?: string }): Promise<void>;
  /** A window of its own. What its page complains about is collected. */
  open(route?: string, options?: WindowOptions): Promise<Window>;
}

export interface WindowOptions extends BrowserContextOptions {
  readonly token?: string;
  /** Its time goes on only when it is told to. */
  readonly clock?: boolean;
  /** A method that the server refuses with this code, as far as this window can tell. */
  readonly refuse?: { readonly method: string; readonly code: string };
  /** Calls whose answers come to this window only when the promise resolves. */
  readonly hold?: (asked: Asked) => Promise<void> | undefined;
}

export interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Window {
  readonly page: Page;
  /** Errors of scripts, of the console and of the page's policy. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** The real server on a store of its own, a model on the wire, and one browser for a whole test file. */
export async function openStage(
  script: Script = [],
  { agents = false }: { agents?: boolean } = {},
): Promise<Stage> {
  if (!existsSync('dist/web/index.html')) throw new Error('The web app is not built: npm run build.');
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-web-'));
  const store = await openStore(path.join(folder, 'sessions.db'));
  const tokensFile = path.join(folder, 'tokens.json');
  addToken(tokensFile, { name: 'reader', sha256: hashToken(READER), projects: null, access: 'read' });
  const model = await startWireServer('anthropic', script);
  const browser = await launchChromium(inject('chromium'));
  let port = 0;
  let server = await serve();

  async function serve(token = TOKEN): Promise<RpcServer> {
    const env = { ...model.env, HOME: folder };
    const started = await createRpcServer({
      store,
      env,
      token,
      tokensFile,
      agents,
      port,
      webRoot: 'dist/web',
      checkResults: true,
    });
    port = started.port;
    return started;
  }

  return {
    store,
    model,
    browser,
    get server() {
      return server;
    },
    stop: () => server.close(),
    async start({ token = TOKEN } = {}) {
      server = await serve(token);
    },
    async open(route = '', { token = TOKEN, clock = false, refuse, hold, ...options } = {}) {
      const context = await browser.newContext({
        viewport: { width: 1360, height: 860 },
        locale: 'en-GB',
        ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      const complaints: string[] = [];
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      if (clock) await page.clock.install();
      if (refuse ?? hold) await meddle(page, { refuse, hold });
      await page.goto(`${server.url}#token=${token}`);
      if (route !== '') await page.evaluate(`location.hash = '#/session/${route}'`);
      return { page, complaints, close: () => context.close() };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.close();
      await model[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Between the page and the server: refuses calls, or holds their answers back. */
async function meddle(
  page: Page,
  { refuse, hold }: { refuse: WindowOptions['refuse'] | undefined; hold: WindowOptions['hold'] | undefined },
): Promise<void> {
  await page.routeWebSocket(/\/rpc$/, (socket) => {
    const server = socket.connectToServer();
    const held = new Map<number, Promise<void>>();
    socket.onMessage((text) => {
      const asked = JSON.parse(String(text)) as Asked;
      const waiting = hold?.(asked);
      if (waiting) held.set(asked.id, waiting);
      if (asked.method !== refuse?.method) return server.send(text);
      const error = { code: -32601, message: 'Refused by the stage.', data: { code: refuse.code } };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: asked.id, error }));
    });
    server.onMessage(async (text) => {
      const waiting = held.get((JSON.parse(String(text)) as Asked).id);
      if (waiting) await waiting;
      socket.send(text);
    });
  });
}
