import { deriveEntryId, type EntryBody, isEntryId, type Message } from '../../record/index.ts';
import { isBirth, originOf } from '../birth.ts';
import { carriedLine } from '../carried.ts';
import { inOrder, type PlacedLine } from '../export/in-order.ts';
import { placeSummaries } from '../export/place-summaries.ts';
import { createSummaries } from '../export/standing-summary.ts';
import { fieldsOf, isFields } from '../source/fields.ts';
import type { Fields } from '../source/recover-line.ts';
import type { Family, WriteOptions, Writer } from '../transcript.ts';
import { compactionLine } from './compaction.ts';
import { FORMAT, joinItem } from './items.ts';
import { newHeader, newLines } from './new-lines.ts';

/**
 * Writes a rollout that Codex lists and resumes. Lines that came from one go back where they stood; everything else is
 * added behind them. Codex knows no branches: of a native session the line asked for is written.
 */
export const writeCodex: Writer = async function* (family, options = {}) {
  const { info } = family.asked;
  const origin = originOf(info, FORMAT);
  const id = origin?.session ?? (isEntryId(info.id) ? info.id : deriveEntryId(FORMAT, info.id));
  const time = new Date(family.sessions[0]!.info.createdAt).toISOString().slice(0, 19).replaceAll(':', '-');
  const file = `rollout-${time}-${id}.jsonl`;
  for await (const text of inOrder(linesOf(family, { ...options, id, imported: origin !== undefined }))) {
    yield { file, text: `${text}\n` };
  }
};

async function* linesOf(
  family: Family,
  { id, imported, onLeftOut }: WriteOptions & { id: string; imported: boolean },
): AsyncGenerator<PlacedLine> {
  const { asked } = family;
  const line = (value: Fields, n?: number): PlacedLine => ({ text: JSON.stringify(value), n });
  if (!imported) yield line(newHeader(asked.info, id));
  const summaries = createSummaries();
  // What other branches say would be taken for part of this one, unless the file itself says that it was taken back.
  const written = imported ? family : { sessions: [asked], asked };
  for await (const { session, entry, summary } of placeSummaries(written, ({ body }) => !carriedOf(body))) {
    const { body } = entry;
    if (summary === 'elsewhere') continue;
    summaries.add(session, entry);
    if (isBirth(entry, originOf(asked.info, FORMAT))) continue;
    const carried = carriedOf(body);
    if (carried) {
      yield* carried;
      continue;
    }
    if (imported && session !== asked) {
      onLeftOut?.(entry);
      continue;
    }
    if (body.kind === 'setting') continue;
    const made = newLines(entry, { summary: () => summaries.standing(session)?.text ?? '' });
    if (made.length === 0) onLeftOut?.(entry);
    for (const value of made) yield line(value);
  }
}

function carriedOf(body: EntryBody): PlacedLine[] | undefined {
  const carried = carriedLine(FORMAT, body);
  if (carried) return [carried];
  if (body.kind === 'message') return messageLines(body);
  if (body.kind !== 'compaction') return undefined;
  const found = compactionLine(body.meta?.[FORMAT], body.summary.overview);
  return found && [{ n: found.n, text: JSON.stringify(found.line) }];
}

function messageLines({ parts, meta }: Message): PlacedLine[] | undefined {
  const { lines } = fieldsOf(meta?.[FORMAT]);
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
