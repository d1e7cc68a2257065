import { describe, expect, it } from 'vitest';
import {
  approveDraft,
  changeDraft,
  compactSession,
  type DraftChange,
  draftCompaction,
  PRESETS,
  readCheckpoint,
  type SummaryDraft,
} from '../../../src/compaction/index.ts';
import { type Entry, emptySummary, type Summary, type SummaryLine } from '../../../src/record/index.ts';
import { createSession, expandCompactions, type Session } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { assistant, user } from '../../../src/testing/index.ts';
import { foldWork } from '../../../src/work/checkpoint/fold-work.ts';
import { scripted } from '../scripted-summariser.ts';

const settings = { ...PRESETS.balanced, keep: { turns: 1 } };
/** With the words of all lines below, so that none is marked as unknown. */
const words = 'on gate, pier 4, pier 7, stands, has, paint, green, close, nine, never, night, file. '.repeat(
  12,
);

type Written = Partial<Summary> | ((entries: readonly Entry[]) => Partial<Summary>);

/** By a model that writes exactly these lines. */
const writing = (written: Written) =>
  scripted(({ entries }) => ({
    summary: {
      ...emptySummary('They spoke of the harbour.'),
      ...(typeof written === 'function' ? written(entries) : written),
    },
  }));
const line = (text: string, from: string[], more: Partial<SummaryLine> = {}): SummaryLine => ({
  text,
  from,
  ...more,
});

/** Two summaries of level 1, and a draft of the one that takes their place. */
async function overTwo({ first, second, both }: Record<'first' | 'second' | 'both', Written>) {
  const session = await createSession(createMemoryStore(), { id: 's' });
  for (let turn = 0; turn < 9; turn++)
    await session.append([user(`What of it? ${words}`), assistant(`It is like this: ${words}`)]);
  const compact = (written: Written, from: number, to: number) =>
    compactSession(session, { settings, range: { from, to }, summariser: writing(written) });
  await compact(first, 1, 8);
  await compact(second, 9, 16);
  const draft = await draftCompaction(session, {
    settings,
    range: { from: 1, to: 16 },
    summariser: writing(both),
  });
  return { session, draft };
}

const nameOf = ({ lines }: SummaryDraft, text: string) =>
  lines.find((one) => one.text.startsWith(text))!.name;
async function approve(session: Session, draft: SummaryDraft, ...changes: DraftChange[]) {
  const changed = await changeDraft(session, { draft: draft.id, changes });
  return approveDraft(session, { draft: changed.id });
}
const checkpointOf = async (session: Session) => readCheckpoint(session.store, await session.refresh());
const textsOf = (lines: readonly { readonly text: string }[]) =>
  lines.map(({ text }) => text).filter((text) => !words.startsWith(text));

const GATE = 'The gate stands on pier 4.';
const told =
  (...texts: string[]) =>
  (entries: readonly Entry[]) => ({
    decisions: texts.map((text) => line(text, [entries[0]!.id])),
  });
/** As a merge tells its summaries: each line with its sources. */
const carrying = (entries: readonly Entry[]): Partial<Summary> => ({
  decisions: entries.flatMap(({ body }) => (body.kind === 'compaction' ? body.summary.decisions : [])),
  files: entries.flatMap(({ body }) => (body.kind === 'compaction' ? body.summary.files : [])),
});

describe('a line that a person took out of a draft over older summaries', () => {
  it('is gone from the checkpoint, though an older summary still says it', async () => {
    const { session, draft } = await overTwo({
      first: told(GATE, 'Paint it green.'),
      second: told('Close at nine.'),
      both: carrying,
    });
    expect(textsOf((await checkpointOf(session)).decisions)).toContain(GATE);
    await approve(session, draft, { do: 'drop', line: nameOf(draft, GATE) });
    const { decisions } = await checkpointOf(session);
    expect(textsOf(decisions)).toEqual(['Paint it green.', 'Close at nine.']);
    const work = await foldWork(session.store, await session.refresh());
    expect(textsOf(work.checkpoint.decisions)).toEqual(['Paint it green.', 'Close at nine.']);
  });

  it('is gone in its old words where it was written anew, and is there unpinned where it was unpinned', async () => {
    const { session, draft } = await overTwo({
      first: (entries) => ({
        decisions: [
          line(GATE, [entries[0]!.id]),
          line('Never by night.', [entries[1]!.id], { pinned: true }),
        ],
      }),
      second: told('Close at nine.'),
      both: carrying,
    });
    await approve(
      session,
      draft,
      { do: 'rewrite', line: nameOf(draft, GATE), text: 'Pier 7 has the gate.' },
      { do: 'unpin', line: nameOf(draft, 'Never') },
    );
    const { decisions } = await checkpointOf(session);
    expect(textsOf(decisions).toSorted()).toEqual([
      'Close at nine.',
      'Never by night.',
      'Pier 7 has the gate.',
    ]);
    expect(decisions.filter(({ pinned }) => pinned)).toEqual([]);
  });

  it('stays where a summary of other entries says it too, and where it was put back', async () => {
    const { session, draft } = await overTwo({
      first: told(GATE, 'Paint it green.'),
      second: told('Close at nine.'),
      both: carrying,
    });
    await session.append([user(words), assistant(words), user(words), assistant(words)]);
    await compactSession(session, {
      settings,
      range: { from: 17, to: 26 },
      summariser: writing(told(GATE)),
    });
    const dropped = await changeDraft(session, {
      draft: draft.id,
      changes: [
        { do: 'drop', line: nameOf(draft, GATE) },
        { do: 'drop', line: nameOf(draft, 'Paint') },
      ],
    });
    await approve(session, dropped, { do: 'add', section: 'decisions', text: 'Paint it green.' });
    const { decisions } = await checkpointOf(session);
    expect(textsOf(decisions).toSorted()).toEqual(['Close at nine.', 'Paint it green.', GATE]);
  });

  it('is gone also where the draft names fewer of its entries than the older summary', async () => {
    const { session, draft } = await overTwo({
      first: (entries) => ({ decisions: [line(GATE, [entries[0]!.id, entries[2]!.id])] }),
      second: told('Close at nine.'),
      both: (entries) => ({
        decisions: [line(GATE, [(entries[0]!.body as { summary: Summary }).summary.decisions[0]!.from[0]!])],
      }),
    });
    await approve(session, draft, { do: 'drop', line: nameOf(draft, GATE) });
    expect(textsOf((await checkpointOf(session)).decisions)).not.toContain(GATE);
  });

  it('is back when the compaction is undone by one that replaces it', async () => {
    const { session, draft } = await overTwo({
      first: told(GATE),
      second: told('Close at nine.'),
      both: carrying,
    });
    const { compactionId } = await approve(session, draft, { do: 'drop', line: nameOf(draft, GATE) });
    await session.append([{ kind: 'mark', mark: 'removed', target: { entry: compactionId } }]);
    expect(textsOf((await checkpointOf(session)).decisions)).toContain(GATE);
  });

  it('stays where an older summary of other entries says it, and names its entries by their numbers', async () => {
    const { session, draft } = await overTwo({
      first: told('Close at nine.'),
      second: told(GATE),
      both: carrying,
    });
    expect(draft.lines.find(({ text }) => text === GATE)!.from).toEqual([
      { entry: expect.any(String), seq: 9 },
    ]);
    await approveDraft(session, { draft: draft.id });
    for (let turn = 0; turn < 4; turn++) await session.append([user(words), assistant(words)]);
    const later = await draftCompaction(session, {
      settings,
      range: { from: 17, to: 30 },
      summariser: writing(told(GATE)),
    });
    await approve(session, later, { do: 'drop', line: nameOf(later, GATE) });
    expect(textsOf((await checkpointOf(session)).decisions)).toContain(GATE);
  });

  it('may be a file', async () => {
    const { session, draft } = await overTwo({
      first: (entries) => ({
        files: [
          { path: 'pier.ts', operations: ['edited'], from: [entries[0]!.id] },
          { path: 'tide.ts', operations: ['read'], from: [entries[0]!.id] },
        ],
      }),
      second: told('Close at nine.'),
      both: carrying,
    });
    await approve(session, draft, { do: 'drop', line: nameOf(draft, 'pier.ts') });
    expect((await checkpointOf(session)).files.map(({ path }) => path)).toEqual(['tide.ts']);
  });
});

describe('a draft of entries whose compaction was undone after it was made', () => {
  async function undone(range: { from: number; to: number }) {
    const session = await createSession(createMemoryStore(), { id: 's' });
    for (let turn = 0; turn < 6; turn++)
      await session.append([user(`What of it? ${words}`), assistant(`It is like this: ${words}`)]);
    await draftCompaction(session, { settings, range: { from: 1, to: 6 } });
    const { compactionId } = await compactSession(session, {
      settings,
      range,
      summariser: writing(told(GATE)),
    });
    await expandCompactions(session, { entry: compactionId });
    return { session, compactionId };
  }

  it('replaces it, so that nothing that it said stays behind', async () => {
    const { session, compactionId } = await undone({ from: 1, to: 4 });
    await approveDraft(session);
    const { state } = await session.refresh();
    expect([state.removed, state.roots.length]).toEqual([[{ entry: compactionId }], 1]);
    expect(textsOf((await checkpointOf(session)).decisions)).not.toContain(GATE);
  });

  it('is stale where that compaction reaches beyond the draft', async () => {
    const { session } = await undone({ from: 1, to: 8 });
    await expect(approveDraft(session)).rejects.toMatchObject({ code: 'compaction-stale' });
  });
});
