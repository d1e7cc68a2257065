import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitSummary } from '../../src/compaction/fit-summary.ts';
import { compactSession, PRESETS, type Summariser } from '../../src/compaction/index.ts';
import { pinnedLines, withPinnedLines } from '../../src/compaction/pinned-lines.ts';
import { emptySummary, SUMMARY_LISTS, type Summary, type SummaryLine } from '../../src/record/index.ts';
import { createSession, readConversation, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { renderSummary } from '../../src/summary/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { scripted } from './scripted-summariser.ts';

const PIN = 'The harbour office opens at a quarter past six, whatever the sign says.';
const forgetful = scripted(() => ({ summary: emptySummary('They talked about the weather.') }));

/** Twenty compactions, the first with a pinned fact; whoever writes the others. */
async function afterTwenty(writer: Summariser | undefined): Promise<Session> {
  const session = await createSession(createMemoryStore(), { id: 's' });
  const settings = { ...PRESETS.balanced, keep: { turns: 1 } };
  for (let n = 0; n < 20; n++) {
    if (n === 0) await session.append([user(PIN), assistant('Good to know.')]);
    for (let turn = 0; turn < 4; turn++) {
      const about = `part ${n}.${turn} of the pier`;
      await session.append([
        user(`Paint ${about} in a colour that suits the season, and tell me which one you took for it.`),
        assistant(`I painted ${about} in shade ${n * 100 + turn}; the second coat has to dry until noon.`),
      ]);
    }
    const first = scripted(({ entries }) => ({
      summary: {
        ...emptySummary('They painted a pier.'),
        facts: [{ text: PIN, from: [entries[0]!.id], pinned: true }],
      },
    }));
    const summariser = n === 0 ? first : writer;
    await compactSession(session, { settings, ...(summariser && { summariser }) });
  }
  return session;
}

const summariesOf = async (session: Session): Promise<Summary[]> => {
  const { frontier } = await readConversation(session.store, await session.refresh());
  return frontier.flatMap(({ body }) => (body.kind === 'compaction' ? [body.summary] : []));
};

describe('a pinned line', () => {
  it.each([
    ['the digest', undefined],
    ['a model that forgets everything', forgetful],
  ])('is word for word in the context after twenty compactions by %s', { timeout: 60_000 }, async (_, by) => {
    const summaries = await summariesOf(await afterTwenty(by));
    expect(summaries.length).toBeLessThan(8);
    const lines = summaries.flatMap(({ facts }) => facts.filter(({ text }) => text.includes('harbour')));
    expect(lines).toEqual([{ text: PIN, from: [expect.any(String)], pinned: true }]);
  });

  it('is left by every cut for size, in every list', () => {
    const anyLine = fc.record({
      text: fc.stringMatching(/^[a-z ]{3,60}$/),
      from: fc.constant<string[]>([]),
    });
    const anyLines = fc.array(
      fc
        .tuple(anyLine, fc.boolean())
        .map(([line, isPinned]): SummaryLine => (isPinned ? { ...line, pinned: true } : line)),
      { maxLength: 12 },
    );
    const anySummary = fc
      .record(Object.fromEntries(SUMMARY_LISTS.map((list) => [list, anyLines])))
      .map((lists): Summary => ({ ...emptySummary('What it was about.'), ...lists }));
    fc.assert(
      fc.property(anySummary, fc.integer({ min: 1, max: 400 }), (summary, maxTokens) => {
        const pinned = pinnedIn(summary);
        expect(pinnedIn(fitSummary(summary, maxTokens))).toEqual(pinned);
        const shown = renderSummary(summary, { maxTokens });
        const listed = SUMMARY_LISTS.filter((list) => list !== 'goal' && list !== 'state');
        for (const list of listed)
          for (const { text, pinned } of summary[list] ?? [])
            if (pinned) expect(shown).toContain(text.trim());
      }),
    );
  });

  it('takes the place of the same line in other words, and has the sources of all', () => {
    const line = { text: 'Use tabs, not spaces.', from: ['a'], pinned: true } as const;
    const held = (from: string): never =>
      ({
        body: { kind: 'compaction', summary: { ...emptySummary(), decisions: [{ ...line, from: [from] }] } },
      }) as never;
    const pinned = pinnedLines([held('a'), held('b')]);
    expect(pinned).toEqual([{ list: 'decisions', line: { ...line, from: ['a', 'b'] } }]);
    const written = {
      ...emptySummary(),
      decisions: [
        { text: 'Ship on Friday.', from: ['c'] },
        { text: 'use tabs, not spaces', from: ['a'] },
      ],
      facts: [{ text: 'Use tabs, not spaces!', from: ['b'] }],
    };
    expect(withPinnedLines(written, pinned)).toEqual({
      ...written,
      decisions: [written.decisions[0], pinned[0]!.line],
      facts: [],
    });
  });
});

function pinnedIn(summary: Summary): string[] {
  return SUMMARY_LISTS.flatMap((list) =>
    (summary[list] ?? []).flatMap(({ text, pinned }) => (pinned ? [`${list} ${text}`] : [])),
  );
}
