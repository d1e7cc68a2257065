import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** `throughline serve` as people start it; build first. */
export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly token: string | undefined;
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Kills it, by this signal, and gives the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const MAIN = path.resolve('dist/faces/cli/main.js');

export async function startServe(
  store: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--store', store, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', HOME: path.dirname(store), ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const gone = once(child, 'exit');
  const address = new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const found = /https?:\/\/\S+/.exec(stdout)?.[0];
      if (stdout.includes('\n') && found) resolve(found);
    });
    void gone.then(() => reject(new Error(`serve ended: ${stderr}`)));
  });
  const [url = '', token] = (await address).split('#token=');
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await gone;
    return child.exitCode;
  };
  return {
    url,
    token,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    end,
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
    },
  };
}
