import { describe, expect, it } from 'vitest';
import { readCalls } from '../../../src/agent/index.ts';
import {
  approveDraft,
  changeDraft,
  compactSession,
  discardDraft,
  draftCompaction,
  PRESETS,
  readDraft,
  type SummaryDraft,
} from '../../../src/compaction/index.ts';
import { emptySummary, SUMMARY_DRAFT } from '../../../src/record/index.ts';
import {
  createSession,
  excludeEntries,
  expandCompactions,
  forkSession,
  markEntries,
  openSession,
  pinEntries,
  readConversation,
  type Session,
} from '../../../src/session/index.ts';
import { createMemoryStore, wholeBody } from '../../../src/store/index.ts';
import { renderSummary } from '../../../src/summary/index.ts';
import { assistant, compaction, system, user } from '../../../src/testing/index.ts';
import { lookFor } from '../../../src/text/secrets/index.ts';
import { scrubStore } from '../../../src/transcripts/scrub/index.ts';
import { scripted } from '../scripted-summariser.ts';

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

const told = (session: Session) =>
  readConversation(session.store, session.info).then(({ frontier }) => frontier.map(({ id }) => id));
const byModel = () =>
  scripted(({ entries }) => ({
    summary: {
      ...emptySummary('They spoke of the pier.'),
      decisions: [{ text: 'Keep the quokka in pier-1.ts.', from: [entries[2]!.id] }],
    },
    usage: { inputTokens: 700, outputTokens: 30 },
    call: { as: 'chat', because: 'cached' },
  }));
const callsOf = async (session: Session) => {
  const calls = [];
  for await (const { usage, model, for: what } of readCalls(session.store, await session.refresh()))
    if (usage) calls.push({ usage, model, what });
  return calls;
};
const lineWith = ({ lines }: SummaryDraft, words: string) => lines.find(({ text }) => text.includes(words))!;

describe('a draft summary', () => {
  it('leaves the context as it is, and has the sources of each line and what would be lost', async () => {
    const session = await talk();
    const before = await told(session);
    const draft = await draftCompaction(session, { settings, summariser: byModel() });
    expect(await told(session)).toEqual(before);
    expect(draft).toMatchObject({ isStale: false, covers: { from: 1, to: 10 }, messages: 10 });
    const line = lineWith(draft, 'pier-1.ts');
    expect(line).toMatchObject({ section: 'decisions', from: [{ entry: before[2], seq: 3 }], pinned: false });
    expect(draft.lines.map(({ name }) => name)).toEqual(draft.lines.map((_, at) => `part-${at + 1}`));
    expect(await readDraft(session)).toEqual(draft);
  });

  it('becomes the compaction as it stands when it is approved, and is gone then', async () => {
    const session = await talk();
    const draft = await draftCompaction(session, { settings, summariser: byModel() });
    const changed = await changeDraft(session, {
      draft: draft.id,
      changes: [
        { do: 'rewrite', line: lineWith(draft, 'pier-1.ts').name, text: 'The quokka lives in pier-1.ts.' },
        { do: 'pin', line: lineWith(draft, 'pier-1.ts').name },
        { do: 'add', section: 'pending', text: 'Feed it.' },
      ],
    });
    const { compactionId, by } = await approveDraft(session, { draft: changed.id });
    const { body } = await session.entry(compactionId);
    if (body.kind !== 'compaction') throw new Error('no compaction');
    expect(body.summary).toEqual(changed.summary);
    const call = { as: 'chat', because: 'cached' };
    expect(body).toMatchObject({ covers: draft.covers, meta: { draft: changed.id, reviewed: true, call } });
    expect([body.usage, by.kind]).toEqual([undefined, 'model']);
    expect(body.summary.pending.at(-1)).toEqual({ text: 'Feed it.', from: [] });
    expect(renderSummary(body.summary)).toContain('The quokka lives in pier-1.ts.');
    expect(await readDraft(session)).toBeUndefined();
    await expect(approveDraft(session)).rejects.toMatchObject({ code: 'entry-not-found' });
  });

  it('is the same compaction as one without a review, if nothing was changed', async () => {
    const [one, other] = [await talk(), await talk()];
    const done = await compactSession(one, { settings });
    await draftCompaction(other, { settings });
    const { compactionId: _, ...approved } = await approveDraft(other);
    expect(approved).toEqual({ ...done, compactionId: undefined });
  });

  it('is paid for once in the ledger: not again when it is changed and approved, and also when it is discarded', async () => {
    const session = await talk();
    const first = await draftCompaction(session, { settings, summariser: byModel() });
    const paid = {
      usage: { inputTokens: 700, outputTokens: 30 },
      model: 'scripted:model',
      what: 'compaction',
    };
    expect(await callsOf(session)).toEqual([paid]);
    await changeDraft(session, { draft: first.id, changes: [{ do: 'drop', line: 'part-1' }] });
    await approveDraft(session);
    expect(await callsOf(session)).toEqual([paid]);
    await session.append([
      user(text),
      assistant(text),
      user(text),
      assistant(text),
      user('?'),
      assistant('!'),
    ]);
    await draftCompaction(session, { settings, summariser: byModel() });
    await discardDraft(session);
    expect(await callsOf(session)).toEqual([paid, paid]);
    expect(await readDraft(session)).toBeUndefined();
  });

  it.each<[string, (session: Session) => Promise<unknown>]>([
    ['a message is pinned', (session) => pinEntries(session, { from: 3, to: 3 })],
    ['a message is left out', (session) => excludeEntries(session, { from: 3, to: 3 })],
    ['a message is deleted', (session) => markEntries(session, 'removed', [{ from: 3, to: 3 }])],
    ['another compaction covers them', (session) => compactSession(session, { settings })],
  ])('is stale once %s, and stays to be looked at', async (_, change) => {
    const session = await talk();
    const draft = await draftCompaction(session, { settings });
    await change(session);
    const stale = await readDraft(session);
    expect(stale).toMatchObject({ id: draft.id, isStale: true });
    expect(stale!.lines.map(({ text }) => text)).toEqual(draft.lines.map(({ text }) => text));
    const { head } = await session.refresh();
    await expect(approveDraft(session)).rejects.toMatchObject({ code: 'compaction-stale' });
    expect((await session.refresh()).head).toBe(head);
  });

  it('is not stale because the conversation goes on', async () => {
    const session = await talk();
    await draftCompaction(session, { settings });
    await session.append([user('And now?'), assistant('Now it rains.')]);
    expect(await readDraft(session)).toMatchObject({ isStale: false });
    const { kept } = await approveDraft(session);
    expect(kept.messages).toBe(4);
  });

  it('covers the messages of a compaction that was undone, which it replaces', async () => {
    const session = await talk();
    const { compactionId } = await compactSession(session, { settings });
    await expandCompactions(session, { entry: compactionId });
    await draftCompaction(session, { settings });
    expect(await readDraft(session)).toMatchObject({ isStale: false });
    await approveDraft(session);
    const { state } = await session.refresh();
    expect(state.removed).toEqual([{ entry: compactionId }]);
  });

  it('goes along into a fork, where it is approved on its own', async () => {
    const session = await talk();
    await draftCompaction(session, { settings });
    const { id } = await forkSession(session.store, session.info);
    await using fork = await openSession(session.store, id);
    expect(await readDraft(fork)).toMatchObject({ isStale: false });
    await approveDraft(fork);
    expect(await readDraft(session)).toMatchObject({ isStale: false });
    expect(await callsOf(fork)).toEqual([]);
  });

  it('has no word of text scrubbed from its entries, and can be approved all the same', async () => {
    const session = await talk({ word: 'quokka-seven-zebra' });
    const draft = await draftCompaction(session, { settings });
    expect(JSON.stringify(draft.lines)).toContain('quokka-seven-zebra');
    await session.close();
    await scrubStore(session.store, { find: lookFor({ texts: ['quokka-seven-zebra'] }) });
    await using again = await openSession(session.store, 's');
    for await (const { body } of again.entries())
      expect(JSON.stringify(await wholeBody(body, (hash) => session.store.blob(hash)))).not.toContain(
        'zebra',
      );
    expect(await readDraft(again)).toMatchObject({ isStale: false });
    await approveDraft(again);
  });

  it('is not taken for a secret itself', async () => {
    const session = await talk();
    const draft = await draftCompaction(session, { settings });
    await session.close();
    await scrubStore(session.store, { find: lookFor({}) });
    await using again = await openSession(session.store, 's');
    expect(await readDraft(again)).toEqual(draft);
  });

  it('stands beside the instructions of the session, which stay, and whose text is not in it', async () => {
    const session = await createSession(createMemoryStore(), { id: 's' });
    await session.append([system(`You keep quokkas. ${text}`)]);
    for (let turn = 0; turn < 6; turn++) await session.append([user(text), assistant(text)]);
    await draftCompaction(session, { settings, range: { from: 1, to: 6 } });
    expect(await readDraft(session)).toMatchObject({ isStale: false });
    await approveDraft(session);
    const { frontier } = await readConversation(session.store, await session.refresh());
    expect(frontier[0]!.body).toMatchObject({ role: 'system' });
  });

  it('is read whole when it is too long for the log itself', async () => {
    const session = await talk();
    const draft = await draftCompaction(session, { settings });
    const said = 'The quokka eats leaves, grass and bark. '.repeat(20_000).trim();
    const changes = [{ do: 'add', section: 'facts', text: said }] as const;
    const { id } = await changeDraft(session, { draft: draft.id, changes });
    const { body } = await session.entry(id);
    expect(JSON.stringify(body).length).toBeLessThan(said.length);
    const read = await readDraft(session);
    expect(read!.lines.at(-1)!.text).toBe(said);
    const { summary } = await approveDraft(session, { draft: id });
    expect(summary).toContain(said);
  });

  it('is not kept when it is cancelled while the model answers', async () => {
    const session = await talk();
    const cancelled = new AbortController();
    const summariser = scripted(() => {
      cancelled.abort();
      return { summary: emptySummary('They spoke of the pier.') };
    });
    await expect(
      draftCompaction(session, { settings, summariser, signal: cancelled.signal }),
    ).rejects.toMatchObject({ code: 'cancelled' });
    expect(await readDraft(session)).toBeUndefined();
  });

  it('is merged with its neighbours once it is approved, as any compaction', async () => {
    const session = await talk({ turns: 12 });
    const few = { ...settings, fanout: 2 };
    await compactSession(session, { settings: few, range: { from: 1, to: 8 } });
    await draftCompaction(session, { settings: few, range: { from: 9, to: 16 } });
    expect(await approveDraft(session, { settings: few })).toMatchObject({ merges: 1 });
    expect((await session.refresh()).state.roots).toMatchObject([{ level: 2, from: 1, to: 16 }]);
  });

  it('offers the names that would be lost, as many as can be read, and none that another program summarised', async () => {
    const session = await createSession(createMemoryStore(), { id: 's' });
    const named = (word: string) =>
      Array.from({ length: 80 }, (_, n) => `\`src/${word}-${n}.ts\``).join(', ');
    await session.append([user('Begin.')]);
    await session.append([
      compaction({
        covers: { from: 1, to: 1 },
        by: { kind: 'import' },
        summary: emptySummary(`They wrote ${named('theirs')}.`),
      }),
    ]);
    for (let turn = 0; turn < 6; turn++)
      await session.append([user(text), assistant(`I wrote ${named(`ours-${turn}`)}.`)]);
    const draft = await draftCompaction(session, { settings, range: { from: 1, to: 11 } });
    const changes = draft.lines.map(({ name: line }) => ({ do: 'drop', line }) as const);
    const { lost, isStale } = await changeDraft(session, { draft: draft.id, changes });
    expect([isStale, lost.length]).toEqual([false, 60]);
    expect(lost.filter(({ text }) => text.includes('theirs'))).toEqual([]);
  });

  it('reads as none in a form of a newer version', async () => {
    const session = await talk();
    await session.append([
      { kind: 'document', id: SUMMARY_DRAFT, title: 'Draft', content: { summary: 'in another form' } },
    ]);
    expect(await readDraft(session)).toBeUndefined();
  });
});
