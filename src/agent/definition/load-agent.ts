import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';
import { ThroughlineError } from '../../errors.ts';
import { type Agent, AgentModule } from './agent.ts';

/** An agent, and the file it came from. */
export interface LoadedAgent extends Agent {
  /** Absolute. */
  readonly path: string;
}

/**
 * Loads an agent module: a file that exports `name`, `instructions`, and perhaps `tools`, `model` and `summaryInstructions`, as
 * named exports or together as the default. A file that was changed since is read again. A broken one is `agent-broken`, with
 * the file, the line and the error.
 */
export async function loadAgent(
  file: string,
  { cwd = process.cwd() }: { cwd?: string } = {},
): Promise<LoadedAgent> {
  const absolute = path.resolve(cwd, file);
  const found = await stat(absolute).catch(() => undefined);
  if (!found) throw broken(absolute, { what: 'there is no such file' });
  if (!found.isFile()) throw broken(absolute, { what: 'it is not a file' });
  const exported = await importFresh(absolute, found.mtimeMs);
  const result = AgentModule.safeParse(agentIn(exported));
  if (!result.success) throw broken(absolute, { what: problemsIn(result.error) }, result.error);
  return { ...(result.data as unknown as Agent), path: absolute };
}

async function importFresh(file: string, changed: number): Promise<Record<string, unknown>> {
  const url = pathToFileURL(file);
  url.searchParams.set('changed', String(changed));
  try {
    return (await import(url.href)) as Record<string, unknown>;
  } catch (error) {
    throw broken(file, await whereBroken(error, file), error);
  }
}

function agentIn(exported: Record<string, unknown>): unknown {
  const { default: whole } = exported;
  return typeof whole === 'object' && whole !== null ? whole : exported;
}

function problemsIn({ issues }: z.ZodError): string {
  return issues
    .map(({ path: where, message, code }) => {
      const name = where.length > 0 ? `"${where.join('.')}"` : 'the module';
      return code === 'invalid_type'
        ? `${name} is missing or of the wrong kind: ${message}`
        : `${name} ${message}`;
    })
    .join('; ');
}

function broken(file: string, { what, line, column }: Breakage, cause?: unknown): ThroughlineError {
  const place = line === undefined ? file : `${file}:${line}${column === undefined ? '' : `:${column}`}`;
  return new ThroughlineError(
    'agent-broken',
    `The agent at ${place} cannot be loaded: ${what}. An agent module exports "name", "instructions", and perhaps "tools", "model" and "summaryInstructions".`,
    {
      cause,
      details: { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }), what },
    },
  );
}

/** The error of a module, and its place. */
interface Breakage {
  readonly what: string;
  readonly line?: number;
  readonly column?: number;
}

/** Reads the place out of an error that importing `file` gave. Engines put it into the stack, each kind elsewhere. */
async function whereBroken(error: unknown, file: string): Promise<Breakage> {
  if (!(error instanceof Error)) return { what: `it threw ${String(error)}` };
  const what = `${error.name}: ${firstLine(error.message)}`;
  const place =
    placeIn(error.stack ?? '', file) ?? (error instanceof SyntaxError && placeIn(await check(file), file));
  return { what, ...place };
}

/** Node tells where a module cannot be parsed only to people, so it is asked to check the file and its words are read. */
async function check(file: string): Promise<string> {
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], { timeout: 10_000 }, (_, __, stderr) => resolve(stderr));
  });
}

function placeIn(text: string, file: string): Pick<Breakage, 'line' | 'column'> | undefined {
  const place = [...text.matchAll(PLACE)].find(({ groups }) => isFile(groups!.source!, file));
  if (!place) return undefined;
  const { line, column } = place.groups as { line: string; column?: string };
  return { line: Number(line), ...(column !== undefined && { column: Number(column) }) };
}

/** `file:///a/agent.ts:3`, `at file:///a/agent.ts?changed=1:3:9`, `/a/agent.ts:3:9`. */
const PLACE = /(?<source>(?:file:\/\/)?\/[^\s()]*?):(?<line>\d+)(?::(?<column>\d+))?(?=[\s)]|$)/g;

function isFile(source: string, file: string): boolean {
  const [plain = ''] = source.split('?');
  return plain === file || plain === pathToFileURL(file).href;
}

/** Messages of the engine may go on with a list of everything that was tried. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/[.\s]+$/, '').replace(/\?changed=[\d.]+/g, '');
}
