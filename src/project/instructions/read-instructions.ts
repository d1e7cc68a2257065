import { createHash } from 'node:crypto';
import { type BigIntStats, constants, type PathLike } from 'node:fs';
import { lstat, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { countText } from '../../tokens/index.ts';

/** A file that tells agents how to work here. It belongs to the project: it is read, shown, and never written. */
export interface InstructionFile {
  readonly path: string;
  /** As a reader in the project would name it: `AGENTS.md`, `packages/api/AGENTS.md`, `../AGENTS.md`. */
  readonly name: string;
  readonly text: string;
  readonly bytes: number;
  readonly tokens: number;
  /** SHA-256 of the text. */
  readonly hash: string;
  readonly modifiedAt: number;
  /** Only its beginning was read: it is larger than an instruction file may be. */
  readonly cut: boolean;
  /** The name of an outer file with the same content, often a link to it. */
  readonly sameAs?: string;
  /** Why it was not read; then there is no text. */
  readonly problem?: 'outside' | 'not-a-file' | 'unreadable';
}

export interface InstructionReader {
  /**
   * What holds for `folder`: the files in it and in those above it up to `top`, the outermost first. A file that has not
   * changed is not read again.
   */
  read(folder: string, options: { readonly top: string }): Promise<InstructionFile[]>;
}

export const INSTRUCTION_NAMES = ['AGENTS.md', 'CLAUDE.md'] as const;
const LARGEST = 64 * 1024;

export function createInstructionReader({
  names = INSTRUCTION_NAMES,
  maxBytes = LARGEST,
}: {
  readonly names?: readonly string[];
  readonly maxBytes?: number;
} = {}): InstructionReader {
  const kept = new Map<string, Kept>();
  return {
    async read(folder, { top }) {
      const files: InstructionFile[] = [];
      for (const here of foldersBetween(top, folder)) {
        for (const name of names) {
          const file = path.join(here, name);
          const read = await readOnce(file, { top, maxBytes, kept });
          if (read) files.push({ path: file, name: nameOf(file, folder), ...read });
        }
      }
      return files.map((file, index) => {
        const twin = files.slice(0, index).find(({ hash, problem }) => !problem && hash === file.hash);
        return twin && !file.problem ? { ...file, sameAs: twin.name } : file;
      });
    },
  };
}

type Content = Omit<InstructionFile, 'path' | 'name' | 'sameAs'>;

interface Kept {
  readonly stamp: string;
  readonly content: Content;
}

/** A file may change twice within the clock's tick, so one that is this young is read again. */
const YOUNG_MS = 2000;

async function readOnce(
  file: string,
  { top, maxBytes, kept }: { top: string; maxBytes: number; kept: Map<string, Kept> },
): Promise<Content | undefined> {
  const found = await statOf(file, top);
  if (found === undefined) return undefined;
  if (typeof found === 'string') return nothing(found);
  const stamp = [found.dev, found.ino, found.size, found.mtimeNs].join(' ');
  const known = kept.get(file);
  if (known?.stamp === stamp) return known.content;
  const content = await readContent(file, found, maxBytes);
  if (content.problem || Date.now() - content.modifiedAt < YOUNG_MS) kept.delete(file);
  else kept.set(file, { stamp, content });
  return content;
}

/** A link may point at another file of the project. One that leads out of it would show the model whatever it points at. */
async function statOf(file: string, top: string): Promise<BigIntStats | InstructionFile['problem']> {
  try {
    const own = await lstat(file, { bigint: true });
    if (!own.isSymbolicLink()) return own.isFile() ? own : 'not-a-file';
    const target = await realpath(file);
    if (!isInside(target, await realpath(top))) return 'outside';
    const found = await stat(target, { bigint: true });
    return found.isFile() ? found : 'not-a-file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'unreadable';
  }
}

async function readContent(
  file: PathLike,
  { size, mtimeNs }: BigIntStats,
  maxBytes: number,
): Promise<Content> {
  const modifiedAt = Number(mtimeNs / 1_000_000n);
  try {
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const buffer = Buffer.alloc(Math.min(Number(size), maxBytes) + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const cut = bytesRead > maxBytes;
    const bytes = cut ? wholeLines(buffer.subarray(0, maxBytes)) : buffer.subarray(0, bytesRead);
    const text = bytes.toString('utf8').replace(/^\ufeff/, '');
    const hash = createHash('sha256').update(bytes).digest('hex');
    return { text, bytes: Number(size), tokens: countText(text), hash, modifiedAt, cut };
  } catch {
    return nothing('unreadable');
  }
}

/** Up to the last line break, so that neither a line nor a character is torn. */
function wholeLines(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(0x0a);
  if (end > 0) return bytes.subarray(0, end + 1);
  let last = bytes.length;
  while (last > 0 && (bytes[last - 1]! & 0xc0) === 0x80) last--;
  return bytes.subarray(0, Math.max(0, last - 1));
}

function nothing(problem: NonNullable<InstructionFile['problem']>): Content {
  return { text: '', bytes: 0, tokens: 0, hash: '', modifiedAt: 0, cut: false, problem };
}

function foldersBetween(top: string, folder: string): string[] {
  if (!isInside(folder, top)) return [folder];
  const folders = [folder];
  for (let here = folder; here !== top; ) {
    here = path.dirname(here);
    folders.unshift(here);
  }
  return folders;
}

function isInside(file: string, folder: string): boolean {
  const way = path.relative(folder, file);
  return way === '' || (!way.startsWith('..') && !path.isAbsolute(way));
}

function nameOf(file: string, folder: string): string {
  return path.relative(folder, file).split(path.sep).join('/');
}

/** Tokens that instruction files may take in a context, unless given. */
export const INSTRUCTION_TOKENS = 16_000;

export interface FittedInstructions {
  /** Every file word for word under its name, the outermost first. Empty when there are none. */
  readonly text: string;
  readonly tokens: number;
  readonly limit: number;
  readonly leftOut: readonly LeftOutFile[];
}

interface LeftOutFile {
  readonly path: string;
  readonly tokens: number;
  /** `cut`: only its beginning is there. */
  readonly reason: 'cut' | 'over-budget' | NonNullable<InstructionFile['problem']>;
}

const LEAD = '# Project instructions';

/** The nearest file comes last and is kept first: the file closest to the work holds where two disagree. */
export function fitInstructions(
  files: readonly InstructionFile[],
  { limit = INSTRUCTION_TOKENS }: { limit?: number } = {},
): FittedInstructions {
  const leftOut: LeftOutFile[] = [];
  const texts: string[] = [];
  let room = limit - frameTokens();
  for (const file of files.toReversed()) {
    const { path, tokens, problem, sameAs, text } = file;
    if (problem) leftOut.unshift({ path, tokens, reason: problem });
    if (problem || sameAs !== undefined || text.trim() === '') continue;
    const block = blockOf(file);
    const cost = countText(`${block}\n\n`);
    if (cost > room) {
      leftOut.unshift({ path, tokens, reason: 'over-budget' });
      continue;
    }
    if (file.cut) leftOut.unshift({ path, tokens, reason: 'cut' });
    room -= cost;
    texts.unshift(block);
  }
  const over = leftOut.filter(({ reason }) => reason === 'over-budget').length;
  const missing = over > 0 ? [sayMissing(over)] : [];
  const text = texts.length + over === 0 ? '' : [LEAD, ...texts, ...missing].join('\n\n');
  return { text, tokens: text === '' ? 0 : countText(text), limit, leftOut };
}

function sayMissing(files: number): string {
  return `(${files} more instruction files are not shown: they are over the budget.)`;
}

const frameTokens = () => countText(`${LEAD}\n\n\n\n${sayMissing(1000)}`) + 10;

function blockOf({ name, text, cut }: InstructionFile): string {
  const end = cut ? '\n(The rest of this file is not shown: it is too large.)' : '';
  return `## From ${name}\n\n${text}${end}`;
}
