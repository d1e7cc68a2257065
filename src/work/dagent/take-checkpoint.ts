import { z } from 'zod';
import {
  type Compaction,
  deriveEntryId,
  type Entry,
  emptySummary,
  type NewEntry,
  type SeqRange,
  type SessionId,
  type Summary,
} from '../../record/index.ts';
import { getSession, readFrontier } from '../../session/index.ts';
import { foldCheckpoint } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';
import { type Fields, readDagentCheckpoint } from '../../transcripts/index.ts';
import { readCheckpointOf } from '../checkpoint/fold-work.ts';
import type { Desk } from '../desk.ts';
import { type DamagedFile, readJsonFile } from './layout-files.ts';

const File = z.looseObject({ version: z.number().optional(), updatedAt: z.string().optional() });

/**
 * The entries that bring a newer checkpoint of another program into the session that it was written out from: a compaction
 * of the messages that the other program took out of the chat, and the loop if it went on there. Empty if the session
 * has the same version or a newer one: then writing the layout out again keeps aside what only the file holds.
 */
export async function takeCheckpoint(
  desk: Desk,
  id: SessionId,
  { file, isInChat, damaged }: { file: string; isInChat: (entry: Entry) => boolean; damaged: DamagedFile[] },
): Promise<NewEntry[]> {
  const fields = await readJsonFile(file, File, damaged);
  if (!fields) return [];
  const own = await readCheckpointOf(desk, id);
  const { compaction, loop } = readDagentCheckpoint(fields);
  const at = Date.parse(fields.updatedAt ?? '') || desk.now();
  const entryId = (what: string) => deriveEntryId(`dagent-${what}`, id, JSON.stringify(fields));
  const entries: NewEntry[] = [];
  if (compaction && (fields.version ?? 0) > own.version) {
    const session = await getSession(desk.store, id);
    const frontier = await readFrontier(desk.store, session);
    const end = frontier.findIndex((entry) => isInChat(entry) || (!isSummary(entry) && entry.at > at));
    const old = end < 0 ? frontier : frontier.slice(0, end);
    const { text, tokensBefore, summary = emptySummary() } = compaction;
    const given = { text, tokensBefore, summary, fields };
    // Where nothing that was said here is meant, the other program summarised what it alone had, before everything else.
    const before = frontier[0] ? placeOf(frontier[0]).from - 1 : session.head;
    const covers = spanOf(old) ?? (before > 0 ? { from: 1, to: before } : undefined);
    if (covers)
      entries.push({ id: entryId('checkpoint'), at, body: compactionOf(old, { ...given, covers }) });
  }
  if (loop && loop.iteration > (own.ralphLoop?.currentIteration ?? 0))
    entries.push({ id: entryId('loop'), at, body: loop });
  return entries;
}

function compactionOf(
  old: readonly Entry[],
  given: {
    text: string;
    tokensBefore: number | undefined;
    summary: Summary;
    fields: Fields;
    covers: SeqRange;
  },
): Compaction {
  const summaries = old.filter(isSummary);
  return {
    kind: 'compaction',
    level: Math.max(0, ...summaries.map(({ body }) => body.level)) + 1,
    covers: given.covers,
    children: summaries.map(({ id }) => id),
    summary: withKnown(given, summaries),
    tokensBefore: Math.round(given.tokensBefore ?? old.reduce((sum, { tokens }) => sum + tokens, 0)),
    tokensAfter: countText(given.text),
    by: { kind: 'import' },
    // The range has not been compared with the summary.
    retention: 0,
    meta: { dagent: given.fields },
  };
}

/** A program that writes only its own fields drops `known`; the summaries that are merged into this one still have it. */
function withKnown(
  { summary, fields }: { summary: Summary; fields: Fields },
  before: readonly (Entry & { body: Compaction })[],
): Summary {
  if (fields.known !== undefined) return summary;
  const summaries = before.map(({ body }) => body.summary);
  const { facts, files } = foldCheckpoint(summaries);
  const textOf = (of: 'overview' | 'foreign') =>
    summaries.flatMap((one) => one[of]?.trim() || []).join('\n\n');
  const foreign = textOf('foreign');
  return {
    ...summary,
    goal: summaries.flatMap(({ goal = [] }) => goal),
    overview: textOf('overview'),
    ...(foreign && { foreign }),
    dropped: summaries.flatMap(({ dropped = [] }) => dropped),
    facts: [...facts],
    files: [...files],
  };
}

function isSummary(entry: Entry): entry is Entry & { body: Compaction } {
  return entry.body.kind === 'compaction';
}

function spanOf(entries: readonly Entry[]): SeqRange | undefined {
  const [first, last] = [entries[0], entries.at(-1)];
  return first && last && { from: placeOf(first).from, to: placeOf(last).to };
}

function placeOf(entry: Entry): SeqRange {
  return isSummary(entry) ? entry.body.covers : { from: entry.seq, to: entry.seq };
}
