import { describe, expect, it } from 'vitest';
import { compactContext, summariseSession } from '../../src/operations/compaction/index.ts';
import { createAppOperation, perform } from '../../src/operations/index.ts';
import { createSession, openSession, readClosingSummary } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';

const TALK = [user('Which port does the gateway use?'), assistant('Port 8443.'), user('Good, keep it.')];

describe('summarising a session', () => {
  it('keeps the summary in the session, and gives the same one the next time', async () => {
    await using store = createMemoryStore();
    const { id } = await talked(store);
    await using app = createAppOperation(store);
    const first = await perform(summariseSession, { sessionId: id, keep: 'must' }, app);
    expect(first).toMatchObject({ kept: true, failures: [] });
    let begun = 0;
    const again = await perform(summariseSession, { sessionId: id, keep: 'may' }, app, {
      onProgress: () => void begun++,
    });
    expect(again).toEqual({ summary: first.summary, kept: true, failures: [] });
    expect(begun).toBe(0);
    expect(await readClosingSummary(store, (await store.session(id))!)).toEqual(first.summary);
  });

  it('answers a session that another program writes in with the summary, and with why it is not kept', async () => {
    await using store = createMemoryStore();
    const { id } = await talked(store);
    await using other = await openSession(store, id, { owner: 'another' });
    await using app = createAppOperation(store, { lease: { owner: 'here', waitMs: 0 } });
    const asked = { sessionId: id } as const;
    const may = await perform(summariseSession, { ...asked, keep: 'may' }, app);
    expect(may).toMatchObject({ kept: false, notKept: { code: 'lease-held' } });
    expect(may.summary).toBeDefined();
    await expect(perform(summariseSession, { ...asked, keep: 'must' }, app)).rejects.toMatchObject({
      code: 'lease-held',
    });
    expect((await other.refresh()).state.documents).toEqual({});
  });

  it('has none for a session without messages', async () => {
    await using store = createMemoryStore();
    await using session = await createSession(store, {}, { mode: 'join' });
    await using app = createAppOperation(store);
    const asked = { sessionId: session.id, keep: 'must' } as const;
    expect(await perform(summariseSession, asked, app)).toEqual({ kept: false, failures: [] });
  });
});

describe('an app of a process that holds a session', () => {
  it('works in it through the handle, which stays open', async () => {
    await using store = createMemoryStore();
    const { id } = await talked(store);
    await using held = await openSession(store, id, { owner: 'chat' });
    {
      const lease = { waitMs: 0, held: (asked: string) => (asked === id ? held : undefined) };
      await using app = createAppOperation(store, { lease });
      const asked = { chatSessionId: id, preset: 'balanced', keepTurns: 1, writer: 'digest' } as const;
      for (let turn = 0; turn < 4; turn++) await held.append(TALK);
      const compacted = await perform(compactContext, asked, app);
      // The newest turn is the last message of the last talk.
      expect(compacted.kept.messages).toBe(1);
      expect(held.info.state.roots).toHaveLength(1);
    }
    await held.append([user('Still here.')]);
    expect(held.unsaved).toEqual([]);
  });
});

async function talked(store: ReturnType<typeof createMemoryStore>) {
  await using session = await createSession(store, {}, { mode: 'join' });
  await session.append(TALK);
  return session;
}
