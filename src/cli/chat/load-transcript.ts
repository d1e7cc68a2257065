import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ThroughlineError } from '../../errors.ts';
import type { SessionInfo, Summary } from '../../record/index.ts';
import { mirrorFile } from '../../session/index.ts';
import { SUMMARY_END, SUMMARY_START } from '../../summary/index.ts';
import type { ChatPlace } from './chat.ts';

/** A session that was in a file, and the summary that the file has of it. */
export interface LoadedTranscript {
  readonly parent: SessionInfo;
  readonly summary?: Summary;
  /** Why there is no summary in it. */
  readonly trouble?: 'no summary' | 'invalid summary format';
}

/** Whether somebody means a file: it looks like a path. */
export function isFile(reference: string): boolean {
  return /[/\\]/.test(reference) || /\.(?:md|markdown|jsonl?|txt)$/i.test(reference);
}

/**
 * Reads a transcript, of this program or another, into the store, so that everything in it can be found and recalled.
 * One that is there already, because it is the mirror of a session, is that session; the id in another file proves nothing. `undefined` if there is no such file.
 */
export async function loadTranscript(
  { store, location }: Pick<ChatPlace, 'store' | 'location'>,
  file: string,
): Promise<LoadedTranscript | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const absolute = path.resolve(file);
  const { importFile, parseMarkdown } = await import('../../transcripts/index.ts');
  const text = /\.(?:md|markdown|txt)$/i.test(file) ? await readFile(absolute, 'utf8') : '';
  const { header, summary } = parseMarkdown(text);
  const there = header.sessionId === undefined ? undefined : await store.session(header.sessionId);
  // What was imported may have come from another file of the same name, or from this one when it was shorter.
  const isOurs = there?.state.settings.source == null || absolute === mirrorFile(location, there.id);
  if (there && isOurs) return { parent: there };
  const named = { path: absolute, size: found.size, mtimeMs: found.mtimeMs, named: true };
  const { reports } = await importFile(store, named);
  // Of a chain, the newest session.
  const report = reports.at(-1);
  const parent = report && (await store.session(report.id));
  if (!parent)
    throw new ThroughlineError('transcript-unknown', `There is no conversation in ${absolute}.`, {
      details: { file: absolute },
    });
  if (summary) return { parent, summary };
  return { parent, ...(text !== '' && { trouble: troubleIn(text) }) };
}

function troubleIn(text: string): NonNullable<LoadedTranscript['trouble']> {
  return text.includes(SUMMARY_START) || text.includes(SUMMARY_END) ? 'invalid summary format' : 'no summary';
}
