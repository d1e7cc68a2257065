import { appendFile, mkdir, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

// An agent module is a program, and the path of one may come with a file from anywhere. So a module is run unasked only if a
// person of this machine named it or said yes to it before. That is written down in the home folder and not beside the store:
// a project's own store comes with the project, and its author must not consent for others.

type Consent = 'given' | 'not given' | 'no such file';

export interface ConsentOptions {
  /** The file with the list; by default `~/.throughline/agents.jsonl`. */
  readonly list?: string;
  readonly cwd?: string;
}

/** Whether a person agreed to run the module before. It is the file that counts, whichever way it is reached. */
export async function readConsent(file: string, options: ConsentOptions = {}): Promise<Consent> {
  const real = await realFile(file, options);
  if (real === undefined) return 'no such file';
  return (await readList(options)).has(JSON.stringify(real)) ? 'given' : 'not given';
}

/** Writes down that a person agreed. Where that cannot be written, they are asked the next time too. */
export async function giveConsent(file: string, options: ConsentOptions = {}): Promise<void> {
  const real = await realFile(file, options);
  if (real === undefined || (await readList(options)).has(JSON.stringify(real))) return;
  await addConsentLine(real, options);
}

/** Adds a line to the list; false where that cannot be written. */
export async function addConsentLine(value: unknown, options: ConsentOptions): Promise<boolean> {
  const list = consentList(options);
  try {
    await mkdir(path.dirname(list), { recursive: true, mode: 0o700 });
    // A line that was cut short must not spoil the next one.
    await appendFile(list, `\n${JSON.stringify(value)}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

export function consentList({ list }: ConsentOptions): string {
  return list ?? path.join(process.env.HOME || homedir(), '.throughline', 'agents.jsonl');
}

async function readList(options: ConsentOptions): Promise<ReadonlySet<string>> {
  return new Set(await readConsentLines(options));
}

export async function readConsentLines(options: ConsentOptions): Promise<string[]> {
  return (await readFile(consentList(options), 'utf8').catch(() => '')).split('\n');
}

export function realFile(file: string, { cwd = process.cwd() }: ConsentOptions): Promise<string | undefined> {
  return realpath(path.resolve(cwd, file)).catch(() => undefined);
}
