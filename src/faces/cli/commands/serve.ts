import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError } from 'commander';
import { isThroughlineError } from '../../../errors.ts';
import { openStore, type Store } from '../../../store/index.ts';
import { packageFile } from '../../../tokens/index.ts';
import { chooseStore } from '../choose-store.ts';
import { helpExamples } from '../help-text.ts';
import {
  askFirstOption,
  parseAmount,
  presetOption,
  recallOption,
  summaryModelOption,
  summarySpendOption,
  timeoutOption,
  windowOption,
} from '../parse-option.ts';
import type { CompactionOptions } from '../standing-compaction.ts';
import { keepHeapFlat } from '../stay-small.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { visibleLine, visibleText } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import { warnExposed } from '../warn-exposed.ts';
import type { GlobalOptions } from '../with-store.ts';

interface ServeOptions extends GlobalOptions, CompactionOptions {
  port?: number;
  host?: string;
  stdio?: boolean;
  tokens?: string;
  addToken?: string;
  project?: string[];
  readOnly?: boolean;
  allowHost?: string[];
  allowOrigin?: string[];
  agents?: boolean;
  window?: number;
  recall?: number;
}

/** Where it is by default; any free port if that is taken. */
const PORT = 7341;

function parsePort(text: string): number {
  const port = parseAmount(text);
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('Ports go up to 65535.');
}

const collect = (value: string, before: string[] = []) => [...before, value];

const SHARING = `
For several people, give each a token of their own and let them reach the server by its name:
  throughline serve --tokens team.json --add-token ann --project shop
  throughline serve --tokens team.json --host 0.0.0.0 --allow-host sessions.example.org
Put a proxy that speaks TLS in front of it. docs/security.md says what is checked and what is not.`;

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description(
      'Serve the sessions kept here: the web app and JSON-RPC. Prints the address to open; only this machine and only with the token in it.',
    )
    .option('--port <number>', `the port to listen on (default: ${PORT}, or a free one)`, parsePort)
    .option(
      '--host <address>',
      'the address to listen on; another than this machine needs --tokens',
      '127.0.0.1',
    )
    .option('--stdio', 'speak JSON-RPC on stdin and stdout instead, one JSON text a line')
    .option('--tokens <file>', 'the tokens of several people, and which projects each may reach')
    .option(
      '--add-token <name>',
      'make a token for somebody, write its hash into --tokens, print it once, and end',
    )
    .option('--project <project>', 'with --add-token: only this project; may be repeated', collect)
    .option('--read-only', 'with --add-token: it may look and change nothing')
    .option('--allow-host <name>', 'a name that the server may be called by; may be repeated', collect)
    .option('--allow-origin <origin>', 'a website whose pages may call it; may be repeated', collect)
    .option('--no-agents', 'leave out the agent modules that sessions remember')
    .addOption(presetOption('when and how much is compacted in sessions that have no policy of their own'))
    .addOption(summaryModelOption())
    .addOption(summarySpendOption())
    .addOption(askFirstOption())
    .addOption(windowOption())
    .addOption(recallOption())
    .addOption(timeoutOption())
    .addHelpText(
      'after',
      `${helpExamples(
        ['throughline serve', 'then open the address it prints'],
        ['throughline serve --port 8080 --store team.db', 'another port, another store'],
        ['throughline serve --stdio', 'for a program that starts it'],
      )}\n${SHARING}`,
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ServeOptions>();
      if (options.addToken !== undefined) return addToken(options, options.addToken);
      const stopping = new AbortController();
      const stop = () => stopping.abort();
      process.once('SIGINT', stop).once('SIGTERM', stop);
      try {
        await serve(options, { version: program.version() ?? '', signal: stopping.signal });
      } finally {
        // A tool that does not heed its signal would keep the process for good. An error is printed before.
        if (stopping.signal.aborted) setImmediate(() => process.exit());
      }
    });
}

async function serve(
  options: ServeOptions,
  { version, signal }: { version: string; signal: AbortSignal },
): Promise<void> {
  keepHeapFlat();
  const { openWriter, standingCompaction } = await import('../standing-compaction.ts');
  // A model for summaries that cannot be had is an error at the start, as in the chat.
  const writer = await openWriter(options);
  await using store = await openStore(chooseStore(options.store).location);
  warnExposed(store);
  const shared = {
    store,
    version,
    // A server for many is of no folder.
    ...(options.tokens === undefined && { project: await projectHere(store) }),
    // Modules that sessions remember are run: by the server of one person, not by one for many.
    agents: options.agents !== false && options.tokens === undefined,
    onError: (error: unknown, session?: string) => note(visibleText(sayFailure(error, session))),
    ...(options.timeout !== undefined && { modelTimeoutMs: options.timeout * 1000 }),
    ...(options.window !== undefined && { window: options.window }),
    ...(options.recall !== undefined && { recall: options.recall }),
    compaction: standingCompaction(options, writer),
    onNotice: (line: string) => note(visibleLine(line)),
  };
  const rpc = await import('../../rpc/index.ts');
  // Awaited here, or the store would be closed first.
  if (options.stdio) return await rpc.serveStdio({ ...shared, signal });
  await using server = await start(rpc, shared, options);
  await announce(server, options);
  await stopped(signal);
}

/** What a chat in this folder belongs to. Nothing is written for it: an unknown project is called by its folder. */
async function projectHere(store: Store): Promise<string> {
  const { placeFolder } = await import('../../../project/index.ts');
  const { project } = await placeFolder(store, process.cwd());
  return project.known ? project.id : (project.folders[0]?.path ?? process.cwd());
}

type Rpc = typeof import('../../rpc/index.ts');
type Shared = Pick<
  import('../../rpc/index.ts').RpcServerOptions,
  | 'store'
  | 'version'
  | 'project'
  | 'agents'
  | 'onError'
  | 'onNotice'
  | 'modelTimeoutMs'
  | 'window'
  | 'recall'
  | 'compaction'
>;
type Server = import('../../rpc/index.ts').RpcServer;

async function start(rpc: Rpc, shared: Shared, options: ServeOptions): Promise<Server> {
  const { port, host = '127.0.0.1', tokens, allowHost, allowOrigin } = options;
  const listen = (on: number) =>
    rpc.createRpcServer({
      ...shared,
      hostname: host,
      port: on,
      webRoot: WEB,
      ...(tokens !== undefined && { tokensFile: tokens }),
      ...(allowHost && { hosts: allowHost }),
      ...(allowOrigin && { origins: allowOrigin }),
    });
  try {
    return await listen(port ?? PORT);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' && port === undefined) return listen(0);
    if (code === 'EADDRINUSE') throw usageError(`Port ${port} is taken. Choose another with --port.`);
    if (code === 'EACCES') throw usageError(`Port ${port} may not be used by you. Choose one above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw usageError(`${host} is no address of this machine.`);
    throw error;
  }
}

/** From the sources as well as from the build. */
const WEB = fileURLToPath(packageFile('dist/web'));

/** The one line that people and programs wait for. The token stands where browsers do not send it on. */
async function announce({ url, token }: Server, { json, tokens }: ServeOptions): Promise<void> {
  const open = token === undefined ? url : `${url}#token=${token}`;
  if (json) return printJson({ url: open, rpc: `${url}rpc`, token: token ?? null, tokens: tokens ?? null });
  await printLines([`Throughline is at ${open}`]);
  const { existsSync } = await import('node:fs');
  if (!existsSync(`${WEB}/index.html`))
    note(dimNote('The web app is not part of this build; JSON-RPC works.'));
}

async function addToken({ tokens, project, readOnly, json }: ServeOptions, name: string): Promise<void> {
  if (tokens === undefined) throw usageError('Name the file that the token goes into, with --tokens.');
  const rpc = await import('../../rpc/index.ts');
  const token = rpc.newToken();
  const access = readOnly ? 'read' : 'write';
  rpc.addToken(tokens, { name, sha256: rpc.hashToken(token), projects: project ?? null, access });
  await (json ? printJson({ name, token, projects: project ?? null, access }) : printLines([token]));
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A refusal of a provider or of the disk is kept with its turn, where clients read the reason; the log has the code. */
function sayFailure(error: unknown, session: string | undefined): string {
  if (!isThroughlineError(error)) return `Unexpected: ${nameOf(error)}`;
  const what = session === undefined ? 'Failed' : `A turn of session ${session} failed`;
  return `${what}: ${error.code}.`;
}

/** The message of an unforeseen error: its words may quote a request. */
function nameOf(error: unknown): string {
  if (process.env.THROUGHLINE_DEBUG === '1') return (error as Error)?.stack ?? String(error);
  const { name, code } = error as { name?: string; code?: string };
  return `${name ?? 'error'}${code ? ` (${code})` : ''}; THROUGHLINE_DEBUG=1 shows where`;
}
