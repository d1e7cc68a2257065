import { describe, expect, it } from 'vitest';
import {
  approveDraft,
  changeDraft,
  discardDraft,
  draftCompaction,
  PRESETS,
  readDraft,
  type SummaryDraft,
} from '../../../src/compaction/index.ts';
import { createSession, openSession, type Session } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { assistant, crashAfter, user } from '../../../src/testing/index.ts';

const settings = { ...PRESETS.balanced, keep: { turns: 1 } };
const text = 'a good many words about the state of things and what to do next with them. '.repeat(8);

async function talk({ turns = 6, word = 'quokka' } = {}): Promise<Session> {
  const session = await createSession(createMemoryStore(), { id: 's' });
  for (let turn = 0; turn < turns; turn++)
    await session.append([
      user(`We decided to keep the ${word} in \`pier-${turn}.ts\`. ${text}`),
      assistant(`Done, it is in pier-${turn}.ts now. ${text}`),
    ]);
  return session;
}

describe('approving a draft summary', () => {
  it('is changed and approved only in the version that was looked at', async () => {
    const session = await talk();
    const seen = await draftCompaction(session, { settings });
    const changes = [{ do: 'drop', line: 'part-1' }] as const;
    await changeDraft(session, { draft: seen.id, changes });
    const refused = { code: 'compaction-stale' };
    await expect(changeDraft(session, { draft: seen.id, changes })).rejects.toMatchObject(refused);
    await expect(approveDraft(session, { draft: seen.id })).rejects.toMatchObject(refused);
    await expect(discardDraft(session, { draft: seen.id })).rejects.toMatchObject(refused);
  });

  it('of two that approve it at once only one does', async () => {
    const session = await talk();
    await draftCompaction(session, { settings });
    await using other = await openSession(session.store, session.id, { mode: 'join' });
    const outcomes = await Promise.allSettled([approveDraft(session), approveDraft(other)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await session.refresh()).state.roots).toHaveLength(1);
  });

  it('is there still, or has become the compaction, wherever the process dies while it is approved', async () => {
    for (let writes = 0; writes < 3; writes++) {
      const session = await talk();
      await draftCompaction(session, { settings });
      await using dying = await openSession(crashAfter(session.store, writes), session.id, { mode: 'join' });
      await approveDraft(dying).catch(() => {});
      const { state } = await session.refresh();
      const isThere = (await readDraft(session)) !== undefined;
      expect(state.roots).toHaveLength(isThere ? 0 : 1);
    }
  });

  it('is not approved in a version that another person changes at that very moment', async () => {
    const session = await talk();
    const draft = await draftCompaction(session, { settings });
    await session.close();
    await using one = await openSession(session.store, 's', { mode: 'join' });
    await using other = await openSession(session.store, 's', { mode: 'join' });
    const changes = [{ do: 'add', section: 'pending', text: 'Feed it.' }] as const;
    let changed: SummaryDraft | undefined;
    const late: Session = Object.create(one, {
      info: { get: () => one.info },
      append: {
        async value(...given: Parameters<Session['append']>) {
          changed ??= await changeDraft(other, { draft: draft.id, changes });
          return one.append(...given);
        },
      },
    });
    await expect(approveDraft(late)).rejects.toMatchObject({ code: 'compaction-stale' });
    expect((await readDraft(other))!.id).toBe(changed!.id);
  });

  it('cannot be approved when nothing is left in it', async () => {
    const session = await talk();
    const draft = await draftCompaction(session, { settings });
    const changes = draft.lines.map(({ name: line }) => ({ do: 'drop', line }) as const);
    const { lines, lost } = await changeDraft(session, { draft: draft.id, changes });
    expect([lines, lost.length > 0]).toEqual([[], true]);
    await expect(approveDraft(session)).rejects.toMatchObject({ code: 'summary-rejected' });
  });
});
