// An agent with real tools: it reads, lists and writes files inside the folder it is started in, and runs commands there
// after you have allowed each of them. Use it with: throughline chat --agent examples/agents/workbench.ts
//
// It imports nothing but Node and a type, so a copy of it works in any folder.
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentTool } from 'throughline';

export const name = 'Workbench';

export const instructions = `You are a careful engineer at a workbench: one folder of files.
Look before you change anything. Read a file before you write it, and write it whole.
Commands run only after the user has allowed them; say in a sentence what one is for before you ask for it.
If a tool says that it was interrupted, look at what is there before you try again.`;

const LONGEST_READ = 40_000;
const MOST_FILES = 500;
const COMMAND_MS = 120_000;
const LONGEST_OUTPUT = 30_000;

/** The path, if it leads to somewhere inside the folder: links are followed first, so that none leads out of it. */
async function inside(file: string): Promise<string> {
  const root = await realpath(process.cwd());
  const wanted = path.resolve(root, file);
  const real = path.join(await realAncestor(path.dirname(wanted)), path.basename(wanted));
  const final = await realpath(real).catch(() => real);
  if (final !== root && !final.startsWith(root + path.sep)) throw new Error(`${file} is outside ${root}`);
  return final;
}

/** The real path of a folder that may not be there yet. */
async function realAncestor(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (parent === folder) throw error;
    return path.join(await realAncestor(parent), path.basename(folder));
  }
}

const text = (description: string) => ({ type: 'string', description });

export const tools: Record<string, AgentTool> = {
  read_file: {
    description: 'Reads a text file. Long files come in pieces: give the offset of the next one.',
    inputSchema: {
      type: 'object',
      properties: { path: text('relative to the folder'), offset: { type: 'integer', minimum: 0 } },
      required: ['path'],
    },
    repeatable: true,
    async execute(input) {
      const { path: file, offset = 0 } = input as { path: string; offset?: number };
      const content = await readFile(await inside(file), 'utf8');
      const piece = content.slice(offset, offset + LONGEST_READ);
      const end = offset + piece.length;
      return end < content.length ? `${piece}\n[goes on at offset ${end} of ${content.length}]` : piece;
    },
  },

  list_files: {
    description: 'Lists the files below a folder.',
    inputSchema: { type: 'object', properties: { path: text('relative to the folder; "." for all of it') } },
    repeatable: true,
    async execute(input) {
      const { path: folder = '.' } = input as { path?: string };
      const top = await inside(folder);
      const files: string[] = [];
      await listInto(files, top);
      const shown = files.slice(0, MOST_FILES).map((file) => path.relative(process.cwd(), file));
      return [...shown, ...(files.length > MOST_FILES ? ['[and more; name a folder]'] : [])].join('\n');
    },
  },

  write_file: {
    description: 'Writes a text file, whole, and makes the folders it needs. Replaces what was there.',
    inputSchema: {
      type: 'object',
      properties: { path: text('relative to the folder'), content: { type: 'string' } },
      required: ['path', 'content'],
    },
    // Not repeatable: after a crash somebody may have changed the file, and writing it again would undo that.
    async execute(input) {
      const { path: file, content } = input as { path: string; content: string };
      const target = await inside(file);
      await mkdir(path.dirname(target), { recursive: true });
      const draft = `${target}.${process.pid}.tmp`;
      await writeFile(draft, content);
      await rename(draft, target);
      return `Wrote ${Buffer.byteLength(content)} bytes to ${path.relative(process.cwd(), target)}.`;
    },
  },

  run_command: {
    description: `Runs a command of the shell in the folder, for at most ${COMMAND_MS / 1000} seconds.`,
    inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    needsApproval: true,
    execute: (input, { abortSignal }) => runCommand((input as { command: string }).command, abortSignal),
  },
};

async function listInto(files: string[], folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (files.length > MOST_FILES) return;
    if (entry.name === 'node_modules' || entry.name === '.git') continue;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await listInto(files, file);
    else if (entry.isFile()) files.push(file);
  }
}

/** What a command printed and how it ended. A process group of its own, so that stopping it stops its children too. */
function runCommand(
  command: string,
  signal: AbortSignal,
): Promise<{ exitCode: number | null; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ exitCode: number | null; output: string }>();
  const child = spawn(command, {
    shell: true,
    cwd: process.cwd(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {}
  };
  const timer = setTimeout(kill, COMMAND_MS);
  signal.addEventListener('abort', kill, { once: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      if (output.length < LONGEST_OUTPUT * 4) output += chunk;
    });
  }
  child.on('error', reject).on('close', (exitCode) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    resolve({ exitCode, output: shorten(output) });
  });
  return promise;
}

/** The beginning and the end, where the point usually is. */
function shorten(output: string): string {
  if (output.length <= LONGEST_OUTPUT) return output;
  const half = LONGEST_OUTPUT / 2;
  return `${output.slice(0, half)}\n[${output.length - 2 * half} characters left out]\n${output.slice(-half)}`;
}
