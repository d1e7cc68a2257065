import type { EntryBody } from '../../../record/index.ts';
import { endingWithAsked, onlyAsked } from '../../export/end-of-file.ts';
import { interleave } from '../../export/interleave.ts';
import { createSummaries } from '../../export/standing-summary.ts';
import { foreignLineOf } from '../../foreign-lines.ts';
import { isImportOrigin, originOf } from '../../import-origin.ts';
import { fieldsOf, textOf } from '../../source/fields.ts';
import { type Fields, parseObject } from '../../source/recover-line.ts';
import type { Family, OutgoingEntry, OutgoingSession, Writer } from '../../transcript.ts';
import { PI_FORMAT } from './blocks.ts';
import { carriedRecord } from './messages.ts';
import { createNames, piNameOf } from './names.ts';
import { newRecords } from './new-records.ts';

/**
 * Writes a file that pi opens and goes on with: a tree of records, version 3. Records from a pi file go back as they were, in
 * the version it had; forks become branches, and the session asked for ends the file, so pi goes on there.
 */
export const writePi: Writer = async function* (all, { name: called, onLeftOut } = {}) {
  const family = (await isLine(all)) ? onlyAsked(all) : await endingWithAsked(all, leads);
  const { asked } = family;
  const { project } = asked.info.state.settings;
  const origin = originOf(asked.info, PI_FORMAT);
  const id = called ?? origin?.session ?? asked.info.id;
  const file = `${new Date(family.sessions[0]!.info.createdAt).toISOString().replace(/[:.]/g, '-')}_${id}.jsonl`;
  const line = (value: unknown) => ({ file, text: `${JSON.stringify(value)}\n` });
  let version = 3;
  if (!origin) {
    const timestamp = new Date(family.sessions[0]!.info.createdAt).toISOString();
    yield line({ type: 'session', version, id, timestamp, cwd: project ?? '' });
  }
  const names = await createNames(family);
  let written = origin ? 0 : 1;
  const summaries = createSummaries();
  const told = new Map<OutgoingSession, string>();
  for await (const { session, entry } of interleave(family)) {
    const { body } = entry;
    if (isImportOrigin(entry, origin)) continue;
    summaries.add(session, entry);
    const carried = foreignLineOf(PI_FORMAT, body);
    const record = carried ? parseObject(carried.text) : recordOf(body);
    if (record?.type === 'session') version = typeof record.version === 'number' ? record.version : 1;
    if (record) told.set(session, JSON.stringify(sayingOf(record)) ?? '');
    if (carried || record) {
      // Records of the first version have no names; what they are called by is their place.
      const name = version > 1 ? textOf(record?.id) : String(written);
      if (name !== undefined && record?.type !== 'session') names.set(session, entry, name);
      written++;
      if (called !== undefined && record?.type === 'session' && record.id === origin?.session)
        yield line({ ...record, id });
      else yield carried ? { file, text: `${carried.text}\n` } : line(record);
    } else {
      const saying = sayingOf(body);
      if (saying !== undefined && told.get(session) === JSON.stringify(saying)) {
        names.passed(session, entry);
        continue;
      }
      const standing = body.kind === 'compaction' ? summaries.standing(session) : undefined;
      const kept = standing && names.firstAfter(session, standing.to);
      const records = newRecords(entry, {
        summary: standing?.text ?? '',
        keeps:
          version > 1
            ? { firstKeptEntryId: kept ?? piNameOf(entry.id) }
            : { firstKeptEntryIndex: Number(kept ?? written) },
      });
      if (records.length === 0) onLeftOut?.(entry);
      for (const [index, { type, ...rest }] of records.entries()) {
        const own = version > 1 ? names.make(entry, index) : String(written);
        const tree = version > 1 ? { id: own, parentId: names.tip(session) } : {};
        yield line({ type, ...tree, timestamp: new Date(entry.at).toISOString(), ...rest });
        names.set(session, entry, own);
        written++;
      }
    }
    names.passed(session, entry);
  }
};

/** Records of the first version have no parents: there is no tree to write. */
async function isLine({ sessions, asked }: Family): Promise<boolean> {
  if (sessions.length === 1 || !originOf(asked.info, PI_FORMAT)) return false;
  for await (const { body } of asked.entries()) {
    const carried = foreignLineOf(PI_FORMAT, body);
    if (carried?.type === 'session') return !(Number(parseObject(carried.text)?.version) > 1);
    if (carried || body.kind === 'message') break;
  }
  return false;
}

/** Whether an entry becomes a record for sure: settings that were written already do not. */
function leads({ body }: OutgoingEntry): boolean {
  const carried = foreignLineOf(PI_FORMAT, body);
  if (carried) return typeof parseObject(carried.text)?.id === 'string';
  return body.kind === 'message' || body.kind === 'compaction' || body.kind === 'restoration';
}

function recordOf(body: EntryBody): Fields | undefined {
  if (body.kind === 'message') return carriedRecord(body);
  const kept = body.kind === 'compaction' ? fieldsOf(body.meta?.[PI_FORMAT]) : {};
  return body.kind === 'compaction' && kept.type === 'compaction'
    ? { ...kept, summary: body.summary.overview }
    : undefined;
}

/** What a record or an entry says about the session, in words that can be compared. */
function sayingOf(said: Fields | EntryBody): unknown {
  const { type, kind, provider, modelId, name, value, targetId, replacement, target, mark } = said as Fields;
  if (type === 'model_change') return ['model', `${String(provider)}:${String(modelId)}`];
  if (type === 'session_info') return ['title', name];
  if (type === 'context_edit' && replacement === null) return ['excluded', targetId];
  if (kind === 'setting') return [name, value];
  const marked = textOf(fieldsOf(target).entry);
  if (kind === 'mark' && mark === 'excluded' && marked) return ['excluded', piNameOf(marked)];
  return undefined;
}
