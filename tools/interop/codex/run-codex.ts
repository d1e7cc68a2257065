// Runs Codex itself, in a home of its own, with a model that is our own service.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const BINARY = path.join(import.meta.dirname, 'node_modules', '.bin', 'codex');

export interface CodexHome {
  /** What Codex calls CODEX_HOME. */
  readonly home: string;
  /** Where it works. */
  readonly folder: string;
}

/** A home with settings that name a provider: its own one at another address, or one that only this machine knows. */
export function makeHome(
  { home, folder }: CodexHome,
  { provider, url, compactAt }: { provider: 'openai' | 'local'; url: string; compactAt?: number },
): void {
  mkdirSync(home, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const limit = compactAt === undefined ? '' : `model_auto_compact_token_limit = ${compactAt}\n`;
  const settings =
    provider === 'openai'
      ? `openai_base_url = "${url}"\n`
      : `model_provider = "local"\n[model_providers.local]\nname = "local"\nbase_url = "${url}"\nwire_api = "responses"\nenv_key = "CODEX_API_KEY"\n`;
  writeFileSync(
    path.join(home, 'config.toml'),
    `model = "gpt-5"\ncheck_for_update_on_startup = false\n${limit}${settings}`,
  );
}

/** What it prints. It has to end well. */
export async function runCodex(at: CodexHome, args: readonly string[]): Promise<string> {
  const child = start(at, args, 'ignore');
  let said = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (said += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`codex ${args.join(' ')} ended with ${code}:\n${said}`);
  return said;
}

function start({ home, folder }: CodexHome, args: readonly string[], stdin: 'ignore' | 'pipe'): ChildProcess {
  const { PATH } = process.env;
  const env = { PATH, HOME: home, CODEX_HOME: home, CODEX_API_KEY: 'none' };
  return spawn(BINARY, [...args], { cwd: folder, env, stdio: [stdin, 'pipe', 'pipe'] });
}

/** The sessions that it offers to go on with, by its own server. */
export async function listThreads(at: CodexHome): Promise<{ id: string; preview: string; cwd: string }[]> {
  const child = start(at, ['app-server'], 'pipe');
  const send = (message: object) => child.stdin!.write(`${JSON.stringify(message)}\n`);
  send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'throughline', version: '0.0.0' } } });
  send({ method: 'initialized' });
  send({ id: 2, method: 'thread/list', params: {} });
  for await (const line of createInterface({ input: child.stdout! })) {
    const { id, result } = JSON.parse(line);
    if (id !== 2) continue;
    child.kill();
    return result.data.map(({ id, preview, cwd }: Thread) => ({ id, preview, cwd }));
  }
  throw new Error('codex app-server lists nothing');
}

interface Thread {
  id: string;
  preview: string;
  cwd: string;
}
