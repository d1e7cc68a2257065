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
  const wanted = new Set<{ start: string; resolve(line: string): void; reject(error: Error): void }>();
  let stderr = '';
  child.stderr!.on('data', (chunk) => {
    stderr += chunk;
  });
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line);
    for (const want of wanted) if (line.startsWith(want.start)) want.resolve(line);
  });
  const ended = new Promise<Awaited<Child['ended']>>((resolve) => {
    child.on('close', (code, signal) => {
      for (const want of wanted)
        want.reject(new Error(`ended (${code ?? signal}) before "${want.start}": ${stderr}`));
      resolve({ code, signal, stderr });
    });
  });
  return {
    process: child,
    lines,
    line: (start) =>
      new Promise((resolve, reject) => {
        const said = lines.find((line) => line.startsWith(start));
        if (said !== undefined) resolve(said);
        else wanted.add({ start, resolve, reject });
      }),
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
