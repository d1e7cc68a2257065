import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface Child {
  readonly process: ChildProcess;
  /** Lines printed so far. */
  readonly lines: string[];
  /** Resolves with the first line that starts with `start`, also if it was printed already. */
  line(start: string): Promise<string>;
  /** Resolves when so many lines were printed. */
  printed(count: number): Promise<void>;
  /** Resolves when it has ended and everything it printed has been read. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

/** Runs one of the scripts in this folder in a process of its own. `wrap` is a command that execs its arguments. */
export function startChild(
  script: string,
  args: readonly string[],
  { wrap = [] }: { wrap?: readonly string[] } = {},
): Child {
  const command = [...wrap, process.execPath, path.join(import.meta.dirname, script), ...args];
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const wanted = new Set<{
    what: string;
    look(): string | undefined;
    resolve(line: string): void;
    reject(error: Error): void;
  }>();
  let stderr = '';
  child.stderr!.on('data', (chunk) => {
    stderr += chunk;
  });
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line);
    for (const want of wanted) {
      const found = want.look();
      if (found !== undefined) want.resolve(found);
    }
  });
  const ended = new Promise<Awaited<Child['ended']>>((resolve) => {
    child.on('close', (code, signal) => {
      for (const want of wanted)
        want.reject(new Error(`ended (${code ?? signal}) before ${want.what}: ${stderr}`));
      resolve({ code, signal, stderr });
    });
  });
  const wait = (what: string, look: () => string | undefined) =>
    new Promise<string>((resolve, reject) => {
      const found = look();
      if (found !== undefined) resolve(found);
      else wanted.add({ what, look, resolve, reject });
    });
  return {
    process: child,
    lines,
    line: (start) => wait(`"${start}"`, () => lines.find((line) => line.startsWith(start))),
    printed: async (count) => void (await wait(`line ${count}`, () => lines[count - 1])),
    ended,
  };
}

/** A folder that is gone when the test is over. */
export function tempFolder(): { path: string; file(name: string): string } & Disposable {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-test-'));
  return {
    path: folder,
    file: (name) => path.join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
