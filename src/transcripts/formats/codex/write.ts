import {
  deriveEntryId,
  type EntryBody,
  isEntryId,
  type Message,
  type Origin,
} from '../../../record/index.ts';
import { onlyAsked } from '../../export/end-of-file.ts';
import { inOrder, type PlacedLine } from '../../export/in-order.ts';
import { standing } from '../../export/interleave.ts';
import { placeSummaries } from '../../export/place-summaries.ts';
import { createSummaries } from '../../export/standing-summary.ts';
import { foreignLineOf } from '../../foreign-lines.ts';
import { isImportOrigin, originOf } from '../../import-origin.ts';
import { fieldsOf, isFields } from '../../source/fields.ts';
import { type Fields, parseObject } from '../../source/recover-line.ts';
import type { Family, OutgoingSession, TranscriptOptions, Writer } from '../../transcript.ts';
import { compactionLine } from './compaction.ts';
import { CODEX_FORMAT, joinItem } from './items.ts';
import { codexLine } from './line-kind.ts';
import { newCodexLines, newHeader } from './new-lines.ts';

/**
 * Writes a rollout that Codex lists and resumes. Lines that came from one go back where they stood; everything else is added
 * behind them. Codex knows no branches: only the line asked for is written, unless the file itself lists records taken back.
 */
export const writeCodex: Writer = async function* (family, options = {}) {
  const { info } = family.asked;
  const origin = originOf(info, CODEX_FORMAT);
  const id =
    options.name ?? origin?.session ?? (isEntryId(info.id) ? info.id : deriveEntryId(CODEX_FORMAT, info.id));
  const time = new Date(family.sessions[0]!.info.createdAt).toISOString().slice(0, 19).replaceAll(':', '-');
  const file = `rollout-${time}-${id}.jsonl`;
  for await (const text of inOrder(linesOf(family, { ...options, id, origin }))) {
    yield { file, text: `${text}\n` };
  }
};

async function* linesOf(
  family: Family,
  { id, origin, onLeftOut }: TranscriptOptions & { id: string; origin: Origin | undefined },
): AsyncGenerator<PlacedLine> {
  const line = (value: Fields, n?: number): PlacedLine => ({ text: JSON.stringify(value), n });
  if (!origin) yield line(newHeader(family.asked.info, id));
  const summaries = createSummaries();
  // What other branches say would be taken for part of this one, unless the file itself says that it was taken back.
  const whole = origin !== undefined && (await holdsEnd(family));
  const written = whole ? family : onlyAsked(family);
  const { asked } = written;
  for await (const { session, entry, summary } of placeSummaries(written, ({ body }) => !carriedOf(body))) {
    const { body } = entry;
    if (summary === 'elsewhere') continue;
    summaries.add(session, entry);
    if (isImportOrigin(entry, origin)) continue;
    const carried = carriedOf(body);
    if (carried) {
      // What this line holds counts, also if it was taken back where the file went on.
      if (!whole && takesBack(body)) continue;
      yield* id === origin?.session ? carried : carried.map((one) => renamed(one, origin, id));
      continue;
    }
    if (session !== asked) {
      onLeftOut?.(entry);
      continue;
    }
    if (body.kind === 'setting') continue;
    const made = newCodexLines(entry, { summary: () => summaries.standing(session)?.text ?? '' });
    if (made.length === 0) onLeftOut?.(entry);
    for (const value of made) yield line(value);
  }
}

/** Whether the file that a family came from ends on the line asked for: then it goes back whole. */
async function holdsEnd({ sessions, asked }: Family): Promise<boolean> {
  if (sessions.length === 1) return true;
  const end = await endOf(asked, 0);
  for (const other of sessions) {
    const { parent } = other.info;
    if (other !== asked && (await endOf(other, parent?.relation === 'fork' ? parent.seq : 0)) > end)
      return false;
  }
  return true;
}

/** The place of the last line of the file that is in a session behind an entry. */
async function endOf(session: OutgoingSession, after: number): Promise<number> {
  let end = -1;
  for await (const { body } of standing(session, after))
    for (const { n = -1 } of carriedOf(body) ?? []) end = Math.max(end, n);
  return end;
}

function takesBack(body: EntryBody): boolean {
  const carried = foreignLineOf(CODEX_FORMAT, body);
  if (carried?.type !== 'event_msg' || !carried.text.includes(ROLLED_BACK)) return false;
  return fieldsOf(parseObject(carried.text)?.payload).type === ROLLED_BACK;
}

const ROLLED_BACK = 'thread_rolled_back';

/** The header says whose file it is. */
function renamed(line: PlacedLine, origin: Origin | undefined, id: string): PlacedLine {
  const value = origin && line.text.includes(origin.session) ? parseObject(line.text) : undefined;
  const { kind, payload } = value ? codexLine(value) : {};
  if (!value || kind !== 'header') return line;
  const own = Object.fromEntries(
    Object.entries(payload!).map(([name, field]) => [name, field === origin!.session ? id : field]),
  );
  return { ...line, text: JSON.stringify(payload === value ? own : { ...value, payload: own }) };
}

function carriedOf(body: EntryBody): PlacedLine[] | undefined {
  const carried = foreignLineOf(CODEX_FORMAT, body);
  if (carried) return [carried];
  if (body.kind === 'message') return messageLines(body);
  if (body.kind !== 'compaction') return undefined;
  const found = compactionLine(body.meta?.[CODEX_FORMAT], body.summary.overview);
  return found && [{ n: found.n, text: JSON.stringify(found.line) }];
}

function messageLines({ parts, meta }: Message): PlacedLine[] | undefined {
  const { lines } = fieldsOf(meta?.[CODEX_FORMAT]);
  if (!Array.isArray(lines)) return undefined;
  const left = [...parts];
  return lines.map((carried) => {
    const { n, line } = fieldsOf(carried);
    const kept = fieldsOf(line);
    const item = isFields(kept.payload)
      ? { ...kept, payload: joinItem(kept.payload, left) }
      : joinItem(kept, left);
    return { n: typeof n === 'number' ? n : undefined, text: JSON.stringify(item) };
  });
}
