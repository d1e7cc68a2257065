import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Seq, SessionInfo } from '../../../record/index.ts';
import { mirrorFile } from '../../../session/index.ts';
import type { Store } from '../../../store/index.ts';
import { outgoing } from '../../export/read-family.ts';
import { markdownPieces } from './write.ts';

// A transcript is replaced whole or not at all, so that no reader ever sees half of one. Of a long session only the last
// turn is rendered anew: the text before it is copied from the file, byte by byte, if that is still the file that was
// written here and no setting has changed that shows further up.

/** A written transcript, for the next call. */
export interface Mirror {
  readonly file: string;
  /** The settings that its text depends on. */
  readonly key: string;
  /** Changes with every write to the file. */
  readonly stamp: string;
  readonly headerBytes: number;
  /** Where its last turn begins, if it has one: everything above stays as it is. */
  readonly last: { readonly seq: Seq; readonly queries: number; readonly offset: number } | undefined;
}

/** Writes a session as a markdown transcript, readable by its owner only. `before` is the result of the last call. */
export async function writeMirror(
  store: Store,
  info: SessionInfo,
  { location, before }: { location: string; before?: Mirror | undefined },
): Promise<Mirror> {
  const file = mirrorFile(location, info.id);
  const key = keyOf(info);
  const fits = before?.file === file && before.key === key && before.stamp === (await stampOf(file));
  const kept = fits && before.last ? { ...before.last, from: before.headerBytes } : undefined;
  if (!before) await sweep(file);
  const { texts, headerBytes, last } = await render(store, info, { location, kept });
  await replaceFile(file, async (handle) => {
    const [header = '', ...rest] = texts;
    await handle.writeFile(header);
    if (kept) await copyRange(file, handle, { from: kept.from, to: kept.offset });
    await handle.writeFile(rest.join(''));
  });
  return { file, key, stamp: (await stampOf(file)) ?? '', headerBytes, last };
}

interface Kept {
  readonly seq: Seq;
  readonly queries: number;
  /** The bytes of the file that are taken over. */
  readonly from: number;
  readonly offset: number;
}

/** The header, and everything behind the copied part. */
async function render(
  store: Store,
  info: SessionInfo,
  { location, kept }: { location: string; kept: Kept | undefined },
): Promise<Pick<Mirror, 'headerBytes' | 'last'> & { texts: string[] }> {
  const { parent } = info;
  const pieces = markdownPieces(outgoing(store, info), {
    ...(parent?.relation === 'resume' && { previousSession: mirrorFile(location, parent.session) }),
    ...(kept && { from: { after: kept.seq - 1, queries: kept.queries } }),
  });
  const texts: string[] = [];
  let headerBytes = 0;
  let offset = 0;
  let last: Mirror['last'];
  for await (const { text, turn } of pieces) {
    if (turn) last = { ...turn, offset };
    texts.push(text);
    offset += Buffer.byteLength(text);
    if (texts.length > 1) continue;
    headerBytes = offset;
    offset += kept ? kept.offset - kept.from : 0;
  }
  return { texts, headerBytes, last };
}

/** A session from a file has that file's header and sections, so its transcript is always made as a whole. */
function keyOf({ state: { settings, removed } }: SessionInfo): string {
  const { agent, agentPath, source } = settings;
  return source ? randomBytes(8).toString('hex') : JSON.stringify([agent, agentPath, removed]);
}

async function stampOf(file: string): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found && `${found.ino} ${found.size} ${found.mtimeNs}`;
}

const CHUNK = 1 << 20;

async function copyRange(
  file: string,
  to: FileHandle,
  { from, to: end }: { from: number; to: number },
): Promise<void> {
  await using source = await open(file, 'r');
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, end - from)));
  for (let position = from; position < end; ) {
    const wanted = Math.min(buffer.length, end - position);
    const { bytesRead } = await source.read(buffer, 0, wanted, position);
    if (bytesRead === 0) throw new Error(`${file} was cut off while it was being read`);
    await to.writeFile(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

const LONG_AGO_MS = 60_000;

/** Removes the drafts that killed processes left beside the file. */
async function sweep(file: string): Promise<void> {
  const folder = path.dirname(file);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const other = path.join(folder, name);
    if (!other.startsWith(file) || !/^\.[0-9a-f]{12}$/.test(other.slice(file.length))) continue;
    const found = await stat(other).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > LONG_AGO_MS) await rm(other, { force: true });
  }
}

async function replaceFile(file: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await write(handle);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
