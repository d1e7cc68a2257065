import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { type ChatPlace, PROGRAM } from './chat-place.ts';

/** `script` of util-linux gives a program a terminal of its own; elsewhere these tests cannot run. */
export const HAS_TERMINAL = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '',
);

export const ENTER = '\r';
export const CTRL_C = '\x03';
export const CTRL_D = '\x04';
export const CTRL_Z = '\x1a';
export const BACKSPACE = '\x7f';
export const UP = '\x1b[A';
export const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

/** A person at a terminal. */
export interface Terminal extends AsyncDisposable {
  type(keys: string): void;
  /** Waits until this is on the screen, after everything that was waited for before. */
  see(what: string | RegExp): Promise<string>;
  /** Everything so far, without colours. */
  readonly text: string;
  /** Everything so far, as it came. */
  readonly raw: string;
  /** Of the chat itself. */
  pid(): Promise<number>;
  /** Closes the window: the chat is told by the system, as when somebody does that. */
  close(): void;
  readonly ended: Promise<number | null>;
}

export function openTerminal(
  { folder, env }: Pick<ChatPlace, 'folder' | 'env'>,
  args: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
  /** What the shell does with the program. */
  inShell: (program: string) => string = (program) => `exec ${program}`,
): Terminal {
  const words = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  const command = `stty cols 100 rows 30; echo "<$$>"; ${inShell(words)}`;
  const child: ChildProcess = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: folder,
    env: { ...env, SHELL: '/bin/sh', ...more },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let raw = '';
  let seen = 0;
  let check = () => {};
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    raw += text;
    check();
  });
  child.stdin!.on('error', () => {});
  let over = false;
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      over = true;
      check();
      resolve(code);
    });
  });
  const clean = () => stripVTControlCharacters(raw).replaceAll('\r', '');
  const find = (what: string | RegExp) => {
    const text = clean();
    const rest = text.slice(seen);
    const at = typeof what === 'string' ? rest.indexOf(what) : rest.search(what);
    if (at < 0) return undefined;
    const found = typeof what === 'string' ? what : rest.match(what)![0];
    seen += at + found.length;
    return rest.slice(0, at + found.length);
  };
  const terminal: Terminal = {
    type: (keys) => void child.stdin!.write(keys),
    see: (what) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => fail(`nothing like ${what} came`), 20_000);
        const fail = (why: string) => {
          clearTimeout(timer);
          reject(new Error(`${why}; the screen:\n${clean()}`));
        };
        check = () => {
          const found = find(what);
          if (found !== undefined) {
            clearTimeout(timer);
            check = () => {};
            resolve(found);
          } else if (over) fail(`it ended before ${what}`);
        };
        check();
      }),
    get text() {
      return clean();
    },
    get raw() {
      return raw;
    },
    async pid() {
      return Number(/<(\d+)>/.exec(raw)?.[1] ?? /<(\d+)>/.exec(await terminal.see(/<\d+>/))![1]);
    },
    close: () => void child.kill('SIGKILL'),
    ended,
    async [Symbol.asyncDispose]() {
      if (!over) child.kill('SIGKILL');
      await ended;
    },
  };
  return terminal;
}
