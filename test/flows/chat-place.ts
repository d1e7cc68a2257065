import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeSession, type SessionDescription } from '../../src/session/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { type Ran, runNode } from '../faces/cli/command-line.ts';

export const PROGRAM = path.resolve('bin/throughline.mjs');

export interface TalkOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/** A machine of its own for a chat: a home, a project, and the program in them. */
export interface ChatPlace extends Disposable {
  readonly home: string;
  readonly folder: string;
  /** The environment of everything that runs here. */
  readonly env: Readonly<Record<string, string>>;
  /** Says these lines to a chat in a pipe and waits for its end. */
  talk(lines: readonly string[], options?: TalkOptions): Promise<Ran>;
  /** Another command, and the JSON it prints. */
  json<T = unknown>(...args: readonly string[]): Promise<T>;
  /** What `sessions --json` prints, without a process of its own: this is asked often, and tested elsewhere. */
  sessions<T = SessionDescription>(): Promise<T[]>;
  /** What `show --json` prints, the same way. */
  show<T = { readonly kind: string; readonly role?: string }>(id: string): Promise<{ readonly entries: T[] }>;
  run(args: readonly string[], options?: TalkOptions & { input?: string }): Promise<Ran>;
  open(): Promise<Store>;
  /** The transcript that was written for a session. */
  mirror(id: string): string;
  mirrorFile(id: string): string;
}

export function createChatPlace(): ChatPlace {
  const root = mkdtempSync(path.join(tmpdir(), 'throughline-chat-'));
  const home = path.join(root, 'home');
  const folder = path.join(root, 'project');
  mkdirSync(home);
  mkdirSync(folder);
  const location = path.join(home, '.throughline', 'throughline.db');
  const mirrorFile = (id: string) => path.join(home, '.throughline', 'transcripts', `${id}.md`);
  const run: ChatPlace['run'] = (args, { env, folder: elsewhere, input = '' } = {}) =>
    runNode(process.execPath, [PROGRAM, ...args], {
      folder: elsewhere ?? folder,
      env: { HOME: home, ...env },
      input,
    });
  return {
    home,
    folder,
    env: { HOME: home, PATH: process.env.PATH ?? '', TZ: 'UTC', TERM: 'xterm-256color' },
    run,
    talk: (lines, { args = [], ...options } = {}) =>
      run(['chat', ...args], { ...options, input: lines.map((line) => `${line}\n`).join('') }),
    async json(...args) {
      const { stdout, stderr, code } = await run([...args, '--json']);
      if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    open: () => openStore(location),
    async sessions<T>() {
      await using store = await openStore(location);
      return (await store.list({ limit: 100 })).sessions.map((info) => describeSession(info)) as T[];
    },
    async show<T>(id: string) {
      await using store = await openStore(location);
      const entries = await store.read(id, {});
      return { entries: entries.map(({ body, ...entry }) => ({ ...entry, ...body })) as T[] };
    },
    mirrorFile,
    mirror: (id) => readFileSync(mirrorFile(id), 'utf8'),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The id that a chat names when it is left. */
export function idIn({ stdout, stderr }: Pick<Ran, 'stdout' | 'stderr'>): string {
  const [, id] = /Session ID: (\S+)/.exec(stderr) ?? /Session ID: (\S+)/.exec(stdout) ?? [];
  if (id === undefined) throw new Error(`no session was saved:\n${stdout}\n${stderr}`);
  return id;
}
