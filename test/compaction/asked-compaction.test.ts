import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactSession, PRESETS, previewCompaction } from '../../src/compaction/index.ts';
import {
  collapseCompactions,
  createSession,
  expandCompactions,
  readConversation,
  type Session,
} from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';

const words = 'words about the state of things and what to do next with them. '.repeat(8);
const keeping = (messages: number) => ({ settings: { ...PRESETS.window, keep: { messages } } });

/** A session with turns of these many messages. */
async function talk(turns: readonly number[]): Promise<Session> {
  const session = await createSession(createMemoryStore(), { id: 's' });
  for (const [turn, length] of turns.entries()) {
    const answers = Array.from({ length: length - 1 }, (_, n) => assistant(`answer ${turn}.${n} ${words}`));
    await session.append([user(`question ${turn} ${words}`), ...answers]);
  }
  return session;
}

const frontierOf = async (session: Session) =>
  (await readConversation(session.store, await session.refresh())).frontier;
const bareIn = async (session: Session) =>
  (await frontierOf(session)).filter(({ body }) => body.kind === 'message');
const anyTurns = fc.array(fc.integer({ min: 2, max: 5 }), { minLength: 6, maxLength: 14 });

describe('a compaction that keeps a number of messages', () => {
  it('keeps that many, grown to whole turns, and names the number that was asked for', async () => {
    await fc.assert(
      fc.asyncProperty(anyTurns, fc.nat({ max: 12 }), async (turns, asked) => {
        const session = await talk(turns);
        const before = await bareIn(session);
        const preview = await previewCompaction(session, keeping(asked)).catch(() => undefined);
        if (!preview) return;
        const { kept, messagesCompacted } = await compactSession(session, keeping(asked));
        const after = await bareIn(session);
        expect(kept).toEqual(preview.kept);
        expect(after).toHaveLength(kept.messages);
        expect(messagesCompacted).toBe(before.length - after.length);
        expect(after[0]!.body).toMatchObject({ role: 'user' });
        expect(kept.messages).toBeGreaterThanOrEqual(asked);
        expect(kept.messages - asked).toBeLessThan(Math.max(...turns) + (asked === 0 ? 1 : 0));
        expect(kept.asked).toBe(kept.messages === asked ? undefined : asked);
      }),
      { numRuns: 40 },
    );
  });

  it('finds nothing to compact when it keeps more than there are, also behind an earlier summary', async () => {
    await fc.assert(
      fc.asyncProperty(anyTurns, fc.integer({ min: 0, max: 100_000 }), async (turns, more) => {
        const session = await talk(turns);
        await compactSession(session, { settings: PRESETS.window, range: { from: 1, to: 4 } });
        // The rest may begin in the middle of a turn, as in a transcript that was shortened elsewhere.
        await session.append([assistant(words), ...(more % 2 ? [user(words), assistant(words)] : [])]);
        const { length } = await bareIn(session);
        await expect(compactSession(session, keeping(length + more))).rejects.toMatchObject({
          code: 'nothing-to-compact',
        });
      }),
      { numRuns: 25 },
    );
  });
});

describe('a compaction after one that was undone', () => {
  it('covers the same messages again, with any number to keep', async () => {
    for (const keep of [4, 8, 13]) {
      const session = await talk(Array.from({ length: 10 }, () => 2));
      const { compactionId } = await compactSession(session, keeping(6));
      await expandCompactions(session, { entry: compactionId });
      const preview = await previewCompaction(session, keeping(keep));
      const { kept, messagesCompacted } = await compactSession(session, keeping(keep));
      expect(preview.kept).toEqual(kept);
      expect(messagesCompacted + kept.messages).toBe(20);
      const frontier = await frontierOf(session);
      expect(frontier.map(({ body }) => body.kind).slice(0, 2)).toEqual(['compaction', 'message']);
      expect(frontier).toHaveLength(kept.messages + 1);
    }
  });

  it('can be undone itself, and gives the messages back', async () => {
    const session = await talk(Array.from({ length: 10 }, () => 2));
    const before = await frontierOf(session);
    for (let round = 0; round < 3; round++) {
      const { compactionId } = await compactSession(session, keeping(4 + 2 * round));
      await expandCompactions(session, { entry: compactionId });
      expect(await frontierOf(session)).toEqual(before);
    }
  });

  it('leaves an opened summary in sight while there is something else to compact', async () => {
    const session = await talk(Array.from({ length: 10 }, () => 2));
    const { compactionId } = await compactSession(session, {
      settings: PRESETS.window,
      range: { from: 1, to: 6 },
    });
    await expandCompactions(session, { entry: compactionId });
    await compactSession(session, keeping(4));
    const kinds = (await frontierOf(session)).map(({ body }) => body.kind);
    expect(kinds.slice(0, 7)).toEqual([...Array.from({ length: 6 }, () => 'message'), 'compaction']);
    await collapseCompactions(session, { entry: compactionId });
    expect((await frontierOf(session))[0]!.body.kind).toBe('compaction');
  });
});
