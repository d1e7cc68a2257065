import { deriveEntryId, type EntryBody, type EntryId, isEntryId } from '../../../record/index.ts';
import { endingWithAsked } from '../../export/end-of-file.ts';
import { placeSummaries } from '../../export/place-summaries.ts';
import { createSummaries } from '../../export/standing-summary.ts';
import { foreignLineOf } from '../../foreign-lines.ts';
import { originOf } from '../../import-origin.ts';
import { textOf } from '../../source/fields.ts';
import { type Fields, parseObject } from '../../source/recover-line.ts';
import type { Family, OutgoingEntry, OutgoingSession, Writer } from '../../transcript.ts';
import { CLAUDE_CODE_FORMAT, linesToCarry } from './carry.ts';
import { hasContent, type LineOrigin, newClaudeLines } from './new-lines.ts';

/**
 * Writes a file that Claude Code lists and resumes. Lines that came from a Claude Code file go back as they were; everything
 * else becomes lines of the same shape, hung on the one before. Forks become branches of the tree.
 */
export const writeClaudeCode: Writer = async function* (all, { name, onLeftOut } = {}) {
  const family = await endingWithAsked(all, leads);
  const from = originOf(family.asked.info, CLAUDE_CODE_FORMAT)?.session;
  const origin = placeOf(family, name ?? from);
  const renames = from !== undefined && from !== origin.sessionId;
  const file = `${origin.sessionId}.jsonl`;
  const tips = createTips(family);
  const summaries = createSummaries();
  const titles = new Map<OutgoingSession, string>();
  for await (const { session, entry, summary } of placeSummaries(family, ({ body }) => !linesOf(body))) {
    const { body } = entry;
    if (summary === 'elsewhere') {
      tips.passed(session, entry);
      continue;
    }
    summaries.add(session, entry);
    const lines = linesOf(body) ?? newTitle(body, titles.get(session), origin);
    const written =
      lines ??
      newClaudeLines(entry, {
        origin,
        parent: tips.of(session),
        summary: () => summaries.standing(session)?.text ?? '',
      });
    if (!written) {
      onLeftOut?.(entry);
      tips.passed(session, entry);
      continue;
    }
    for (const line of written) {
      const value = typeof line === 'string' ? parseObject(line) : line;
      const title = textOf(value?.customTitle) ?? textOf(value?.aiTitle) ?? textOf(value?.summary);
      if (title !== undefined) titles.set(session, title);
      if (typeof value?.uuid === 'string' && value.isSidechain !== true) tips.set(session, value.uuid);
      const own = renames && value?.sessionId === from ? { ...value, sessionId: origin.sessionId } : line;
      yield { file, text: `${typeof own === 'string' ? own : JSON.stringify(own)}\n` };
    }
    if (summary === undefined) tips.passed(session, entry);
  }
};

/** The lines an entry came from, if it came from a Claude Code file. */
function linesOf(body: EntryBody): readonly (Fields | string)[] | undefined {
  const carried = foreignLineOf(CLAUDE_CODE_FORMAT, body);
  if (carried) return [carried.text];
  if (body.kind === 'message') return linesToCarry(body);
  if (body.kind !== 'compaction') return undefined;
  const parts = (body.meta?.parts as never) ?? [{ type: 'text', text: body.summary.overview }];
  return linesToCarry({ parts, meta: body.meta });
}

/** Whether an entry becomes a line that the next one can follow. */
function leads({ body }: OutgoingEntry): boolean {
  const lines = linesOf(body);
  if (!lines) return body.kind === 'restoration' || (body.kind === 'message' && hasContent(body));
  const values = lines.map((line) => (typeof line === 'string' ? parseObject(line) : line));
  return values.some((value) => typeof value?.uuid === 'string' && value.isSidechain !== true);
}

/** A title that a line has just said needs no other line. */
function newTitle(
  body: EntryBody,
  told: string | undefined,
  { sessionId }: LineOrigin,
): readonly Fields[] | undefined {
  if (body.kind !== 'setting') return undefined;
  if (body.name !== 'title' || typeof body.value !== 'string' || body.value === told) return [];
  return [{ type: 'custom-title', customTitle: body.value, sessionId }];
}

/** Claude Code knows sessions by a UUID. */
function placeOf({ asked, sessions }: Family, known: string | undefined): LineOrigin {
  const { project } = asked.info.state.settings;
  const name = sessions[0]!.info.id;
  const uuid = isEntryId(name) ? name : deriveEntryId(CLAUDE_CODE_FORMAT, name);
  return { sessionId: known ?? uuid, cwd: project ?? '' };
}

/** The line that the next one of a session follows. */
function createTips({ sessions }: Family) {
  const tips = new Map<string, EntryId | null>();
  const forks = new Map<string, EntryId | null>();
  const key = (id: string, seq: number) => `${id} ${seq}`;
  const wanted = new Set(
    sessions.flatMap(({ info: { parent } }) =>
      parent?.relation === 'fork' ? [key(parent.session, parent.seq)] : [],
    ),
  );
  return {
    of({ info: { id, parent } }: OutgoingSession): EntryId | null {
      return tips.get(id) ?? (parent && forks.get(key(parent.session, parent.seq))) ?? null;
    },
    set: ({ info }: OutgoingSession, uuid: string) => void tips.set(info.id, uuid),
    passed(session: OutgoingSession, { seq }: OutgoingEntry): void {
      const at = key(session.info.id, seq);
      if (wanted.has(at)) forks.set(at, this.of(session));
    },
  };
}
