import { pathToFileURL } from 'node:url';

/** The error of a module, and its place. */
export interface Breakage {
  readonly what: string;
  readonly line?: number;
  readonly column?: number;
}

/** Reads the place out of an error that importing `file` gave. Engines put it into the stack, each kind elsewhere. */
export async function whereBroken(error: unknown, file: string): Promise<Breakage> {
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
