import { FORMAT_VERSION, plainBody } from '../../../record/index.ts';
import { createLogHash } from '../../export/hash-log.ts';
import { encodeValue } from '../../export/plain-json.ts';
import type { Writer } from '../../transcript.ts';

/**
 * Our own format: every session of the family with its own entries, whole, and at its end how many there were and their
 * hash, so that a file that was cut or changed is known as such.
 */
export const writeThroughline: Writer = async function* (family) {
  const file = `${family.asked.info.id}.jsonl`;
  const line = (value: unknown) => ({ file, text: `${JSON.stringify(value)}\n` });
  yield line({ throughline: 1, format: FORMAT_VERSION });
  for (const { info, entries } of family.sessions) {
    const { id, createdAt, parent } = info;
    yield line({ session: { id, createdAt, ...(parent && { parent }) } });
    const hash = createLogHash();
    let count = 0;
    for await (const entry of entries({ after: parent?.relation === 'fork' ? parent.seq : 0 })) {
      const { id: entryId, seq, at, body } = entry;
      hash.add(entry);
      count++;
      yield line({ entry: { id: entryId, seq, at, body: encodeValue(plainBody(body)) } });
    }
    yield line({ end: { session: id, entries: count, hash: hash.digest() } });
  }
};
