import { describe, expect, it } from 'vitest';
import { encodeEntry } from '../../../src/store/entry-format.ts';
import { createSessionInMemory } from '../../../src/store/in-memory/create-session.ts';
import {
  type MemorySessionRow,
  type MemoryTables,
  openTablesInMemory,
} from '../../../src/store/in-memory/tables.ts';
import { rebuildStoreInMemory, verifyStoreInMemory } from '../../../src/store/in-memory/verify-store.ts';
import { assistant, setting, user } from '../../../src/testing/index.ts';

/** A session of a question, a long answer and a tag, in a store of its own. */
function livedIn(): { tables: MemoryTables; session: MemorySessionRow } {
  const tables = openTablesInMemory();
  const bodies = [user('question'), assistant('long '.repeat(10_000)), setting('tag', 'x')];
  const entries = bodies.map((body) => encodeEntry({ body }, 0));
  return { tables, session: createSessionInMemory(tables, { id: 's' }, { entries, now: 0 }) };
}

function codes(tables: MemoryTables): string[] {
  return verifyStoreInMemory(tables).problems.map(({ code }) => code);
}

describe('what the memory store would say about damage', () => {
  it('names the entry that cannot be read', () => {
    const { tables, session } = livedIn();
    const [row] = session.entries;
    session.entries[0] = { ...row!, json: row!.json.replace('question', 'quest') };
    const [problem] = verifyStoreInMemory(tables).problems;
    expect(problem).toMatchObject({ code: 'entry-unreadable', session: 's', entry: row!.id });
  });

  it('notices an entry that is gone', () => {
    const { tables, session } = livedIn();
    session.entries.shift();
    expect(codes(tables)).toContain('seq-gap');
  });

  it('notices a blob that is gone or was changed', () => {
    const { tables } = livedIn();
    const [hash] = tables.blobs.keys();
    const { bytes } = tables.blobs.get(hash!)!;
    bytes[0] = 0;
    expect(codes(tables)).toEqual(['blob-damaged']);
    tables.blobs.delete(hash!);
    expect(codes(tables)).toEqual(['blob-missing']);
  });

  it('notices a list that says something else than the log, and puts it right', () => {
    const { tables, session } = livedIn();
    const before = structuredClone(session.tally);
    session.tally = { ...session.tally, state: { ...session.tally.state, tags: ['y'] } };
    session.entries[1]!.totals = { messages: 9, queries: 9, tokens: 9 };
    expect(codes(tables)).toEqual(['projection-differs']);
    expect(rebuildStoreInMemory(tables).changed).toEqual(['s']);
    expect(session.tally).toEqual(before);
    expect([codes(tables), rebuildStoreInMemory(tables).changed]).toEqual([[], []]);
  });

  it('does not rebuild over damage: the list may be all that is left', () => {
    const { tables, session } = livedIn();
    const before = session.tally;
    session.entries[0] = { ...session.entries[0]!, crc: 0 };
    expect(rebuildStoreInMemory(tables).changed).toEqual([]);
    expect(session.tally).toBe(before);
  });
});
