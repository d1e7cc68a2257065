import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';
import { ThroughlineError } from '../../errors.ts';
import { type Agent, AgentModule } from './agent.ts';
import { type Breakage, whereBroken } from './where-broken.ts';

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
