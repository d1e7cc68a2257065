import { z } from 'zod';
import { addConsentLine, type ConsentOptions, readConsentLines, realFile } from './agent-consent.ts';

/** A tool of an agent module that a person allowed for good, in every session. */
export interface ToolConsent {
  /** The file of the module, whichever way it was reached. */
  readonly agent: string;
  readonly toolName: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Stands among the modules that a person agreed to. The newest line about a tool counts. */
const Line = z.object({
  agent: z.string(),
  tool: z.string(),
  at: z.number(),
  allowed: z.boolean(),
});

/** Every tool that is allowed for good, the one allowed first first. */
export async function readToolConsents(options: ConsentOptions = {}): Promise<ToolConsent[]> {
  const known = new Map<string, ToolConsent>();
  for (const text of await readConsentLines(options)) {
    if (!text.startsWith('{')) continue;
    const line = readLine(text);
    if (!line) continue;
    const { agent, tool: toolName, at, allowed } = line;
    const key = JSON.stringify([agent, toolName]);
    known.delete(key);
    if (allowed) known.set(key, { agent, toolName, at });
  }
  return [...known.values()];
}

/** Allows a tool of a module for good, or takes that back. False where it cannot be written down. */
export async function setToolConsent(
  { agent, toolName, allowed }: { agent: string; toolName: string; allowed: boolean },
  options: ConsentOptions = {},
): Promise<boolean> {
  // A file that is gone can still lose its consents.
  const real = (await realFile(agent, options)) ?? agent;
  return addConsentLine({ agent: real, tool: toolName, at: Date.now(), allowed }, options);
}

function readLine(text: string): z.infer<typeof Line> | undefined {
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
