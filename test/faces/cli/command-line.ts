import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Birth, createSession, type Session } from '../../../src/session/index.ts';
import { openStore, type Store } from '../../../src/store/index.ts';

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** What is typed. */
  readonly input?: string;
  /** As in a terminal of this many columns, instead of in a pipe. */
  readonly columns?: number;
}

/** As people run it, and in half the time that the sources take to start: build first. */
const MAIN = path.resolve('dist/faces/cli/main.js');

/** A machine of its own for one test: a home folder, a project folder, a store, and the command line in them. */
export interface Machine extends Disposable {
  readonly home: string;
  readonly folder: string;
  readonly storeFile: string;
  readonly open: () => Promise<Store>;
  /** Does something to the store without the command line. */
  readonly change: (work: (store: Store) => Promise<unknown>) => Promise<void>;
  /** Creates a session in the store and closes everything again. */
  readonly session: (birth: Birth, fill?: (session: Session) => Promise<unknown>) => Promise<string>;
  /** Runs `throughline` with the machine's store. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
  /** The same, and the JSON it printed. */
  readonly json: <T>(...args: readonly string[]) => Promise<T>;
  /** Without `--store`: which one is meant is for the command to find out. */
  readonly runBare: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
}

export function createMachine(): Machine {
  const root = mkdtempSync(path.join(tmpdir(), 'throughline-cli-'));
  const home = path.join(root, 'home');
  const folder = path.join(root, 'work');
  mkdirSync(home);
  mkdirSync(folder);
  const storeFile = path.join(root, 'store.db');
  const open = () => openStore(storeFile, { durability: 'normal' });
  const runBare = (args: readonly string[], options: RunOptions = {}) =>
    runMain(args, { ...options, folder: options.folder ?? folder, env: { HOME: home, ...options.env } });
  const run = (args: readonly string[], options?: RunOptions) =>
    runBare([...args, '--store', storeFile], options);
  return {
    home,
    folder,
    storeFile,
    open,
    run,
    runBare,
    async change(work) {
      await using store = await open();
      await work(store);
    },
    async session(birth, fill) {
      await using store = await open();
      await using session = await createSession(store, birth);
      await fill?.(session);
      return session.id;
    },
    async json(...args) {
      const { stdout, stderr, code } = await run([...args, '--json']);
      if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** What a terminal is to the process: streams that say so, and a width. */
function terminal(columns: number): string {
  const script = `for (const s of [process.stdin, process.stdout, process.stderr]) s.isTTY = true; process.stdout.columns = ${columns};`;
  return `data:text/javascript,${encodeURIComponent(script)}`;
}

function runMain(args: readonly string[], { env, folder, input = '', columns }: RunOptions): Promise<Ran> {
  const node = columns === undefined ? [] : ['--import', terminal(columns)];
  return runNode(process.execPath, [...node, MAIN, ...args], { env, folder, input });
}

/** Runs a program to its end. Only what the test gives it is in its environment. */
export async function runNode(
  program: string,
  args: readonly string[],
  {
    env = {},
    folder,
    input = '',
  }: { env?: RunOptions['env'] | undefined; folder?: string | undefined; input?: string } = {},
): Promise<Ran> {
  const child = spawn(program, args, {
    ...(folder !== undefined && { cwd: folder }),
    // Not in the terminal of whoever runs the tests: the last list belongs to that.
    detached: true,
    env: { PATH: process.env.PATH, TZ: 'UTC', TERM: 'xterm-256color', NODE_COMPILE_CACHE: CACHE, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {}).end(input);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject).on('close', (...outcome) => resolve(outcome));
  });
  return { stdout, stderr, code, signal };
}

/** Compiled once for all children: the tests start the command many times. */
const CACHE = path.join(tmpdir(), 'throughline-compile-cache');
