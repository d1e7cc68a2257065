import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { SessionId, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { SUMMARY_END, SUMMARY_START, writeSessionSummary } from '../../summary/index.ts';
import { readClosingSummary } from './closing-summary.ts';

/** Where the transcript of a session lies: beside the store. */
export function mirrorFile(location: string, id: SessionId): string {
  return path.join(path.dirname(location), 'transcripts', `${id}.md`);
}

/** Writes a session as a markdown transcript, whole or not at all, for its owner's eyes only. */
export async function writeMirror(store: Store, info: SessionInfo, location: string): Promise<string> {
  const { outgoing, sessionToMarkdown } = await import('../../transcripts/index.ts');
  const { parent } = info;
  const previous = parent?.relation === 'resume' ? mirrorFile(location, parent.session) : undefined;
  const text = await sessionToMarkdown(outgoing(store, info), {
    ...(previous !== undefined && { previousSession: previous }),
  });
  const closing = await readClosingSummary(store, info);
  const file = mirrorFile(location, info.id);
  await replaceFile(file, closing ? `${withoutBlock(text)}${writeSessionSummary(closing)}\n` : text);
  return file;
}

/** A compaction may have put its summary at the end; the one that the session was left with takes its place. */
function withoutBlock(text: string): string {
  if (!text.trimEnd().endsWith(`\n${SUMMARY_END}`)) return text;
  return text.slice(0, text.lastIndexOf(`\n${SUMMARY_START}\n`) + 1);
}

async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
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
