import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { ThroughlineError } from '../../../errors.ts';

export interface GitOptions {
  /** Pieces are written as they are made. */
  readonly input?: Uint8Array | string | AsyncIterable<Uint8Array>;
  readonly env?: Readonly<Record<string, string>>;
}

/** What a command of git came to. */
interface Ran {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A command of git failed in an unforeseen way. */
class GitFailure extends Error {
  readonly ran: Ran;
  constructor(args: readonly string[], ran: Ran) {
    super(
      `git ${args.find((arg) => !arg.startsWith('-'))} failed: ${ran.stderr.trim() || `code ${ran.code}`}`,
    );
    this.ran = ran;
  }
}

/** Variables that a hook or a rebase has set for its git do not apply to ours. */
const NOT_OURS = new Set([
  'GIT_DIR',
  'GIT_COMMON_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
]);

/** Runs git and gives what it said, whatever the outcome. */
export async function tryGit(args: readonly string[], { input, env = {} }: GitOptions = {}): Promise<Ran> {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_OURS.has(name));
  const child = spawn('git', [...args], {
    env: { ...Object.fromEntries(inherited), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  // It may end before it has read everything; its own message says why.
  child.stdin.on('error', () => {});
  const feeding = feed(child.stdin, input).catch((error: unknown) => {
    child.kill();
    return error;
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? noGit(error) : error),
    );
    child.once('close', (status) => resolve(status ?? -1));
  });
  const failed = await feeding;
  if (failed) throw failed;
  return { code, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') };
}

async function feed(to: Writable, input: GitOptions['input']): Promise<void> {
  if (input === undefined || typeof input === 'string' || input instanceof Uint8Array) {
    to.end(input);
    return;
  }
  for await (const piece of input) {
    if (to.destroyed) break;
    if (!to.write(piece)) await drained(to);
  }
  to.end();
}

async function drained(to: Writable): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  // The listener that is still there when the other event has come would stay for as long as the stream lives.
  await Promise.race([once(to, 'drain', { signal }), once(to, 'close', { signal })]).finally(() =>
    over.abort(),
  );
}

/** Runs git, which has to succeed. */
export async function runGit(args: readonly string[], options?: GitOptions): Promise<Buffer> {
  const ran = await tryGit(args, options);
  if (ran.code !== 0) throw cannotWrite(ran) ?? new GitFailure(args, ran);
  return ran.stdout;
}

export async function gitText(args: readonly string[], options?: GitOptions): Promise<string> {
  return (await runGit(args, options)).toString('utf8').trim();
}

const REFUSED =
  /No space left on device|insufficient permission|Disk quota exceeded|Permission denied|Read-only file system/;

/** What the disk refuses is no fault of git's. */
function cannotWrite({ stderr }: Ran): ThroughlineError | undefined {
  const [reason] = REFUSED.exec(stderr) ?? [];
  if (reason === undefined) return undefined;
  return new ThroughlineError(
    'archive-unavailable',
    `The archive cannot be written (${reason.toLowerCase()}): ${stderr.trim().split('\n').at(-1)}. Nothing was archived.`,
    { details: { reason } },
  );
}

function noGit(cause: Error): ThroughlineError {
  return new ThroughlineError(
    'archive-unavailable',
    'Archives are kept by git, and there is no git here. Install it.',
    {
      cause,
    },
  );
}
