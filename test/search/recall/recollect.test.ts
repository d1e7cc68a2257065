import { describe, expect, it } from 'vitest';
import { compactSession, PRESETS } from '../../../src/compaction/index.ts';
import type { EntryBody } from '../../../src/record/index.ts';
import { openRecall, recollect } from '../../../src/search/index.ts';
import {
  excludeEntries,
  expandCompactions,
  forkSession,
  openSession,
  pinEntries,
  resumeSession,
} from '../../../src/session/index.ts';
import { assistant, mark, summaryOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { linesOf } from '../../context/states.ts';
import { contextOf } from '../../support/context-of.ts';
import { openDesk } from './desk.ts';

/** Entry 5 is the one to find; the last two are about something else and stay in sight. */
const TALK: readonly EntryBody[] = [
  user('Let us begin with the chapter on rivers and lakes of the north.'),
  assistant('The chapter on rivers is drafted, with a map of the delta and a list of harbours.'),
  user('Now the bibliography of the second volume, sorted by author and by year.'),
  assistant('Sorted. Three authors had no year, so they stand at the end of the bibliography.'),
  user('The printer in Leeds charges 4711 pounds for the whole edition, paper included.'),
  assistant('Noted, I have put that into the budget sheet beside the binding.'),
  user('And the index of names still lacks everybody from chapter nine.'),
  assistant('Added forty names from chapter nine to the index.'),
  user('What is the weather like for the excursion tomorrow afternoon?'),
  assistant('Sunny, they say, with a light wind from the west.'),
];
const QUESTION = 'How much does the printer in Leeds charge?';

describe('recall for a question', () => {
  it('is what compacted turns say about it, the best with the messages beside it', async () => {
    await using desk = await openDesk(TALK);
    await desk.compact(2);
    expect((await desk.numbers(QUESTION)).slice(0, 3)).toEqual([5, 4, 6]);
    const found = await recollect(desk.store, desk.recall, desk.session.info, {
      question: QUESTION,
      maxTokens: 2000,
    });
    const { id, at } = (await desk.session.read({ after: 4, upTo: 5 }))[0]!;
    const text = 'The printer in Leeds charges 4711 pounds for the whole edition, paper included.';
    expect(found[0]).toEqual({ entry: id, seq: 5, at, role: 'user', text });
  });

  it('is nothing as long as everything is in sight', async () => {
    await using desk = await openDesk(TALK);
    expect(await desk.numbers(QUESTION)).toEqual([]);
    await desk.compact(2);
    const [root] = desk.session.info.state.roots;
    await expandCompactions(desk.session, { entry: root!.id });
    expect(await desk.numbers(QUESTION)).toEqual([]);
  });

  it('is nothing for no question, and asks the newest one if none is given', async () => {
    await using desk = await openDesk([...TALK, user(QUESTION)]);
    await desk.compact(3);
    expect(await desk.numbers('')).toEqual([]);
    expect(await desk.numbers(' "" * ')).toEqual([]);
    const { store, recall, session } = desk;
    const [best] = await recollect(store, recall, session.info, { maxTokens: 2000 });
    expect(best!.seq).toBe(5);
    expect(await recollect(store, recall, session.info, { maxTokens: 0 })).toEqual([]);
  });

  it('takes quotes and stars in a question for what they are', async () => {
    await using desk = await openDesk(TALK);
    await desk.compact(2);
    const [best] = await desk.numbers('You said "the printer in Leeds wants a fortune": how *much* was it?');
    expect(best).toBe(5);
  });

  it('has no pinned, excluded or removed entries, nor their neighbours', async () => {
    await using desk = await openDesk(TALK);
    await desk.compact(2);
    await pinEntries(desk.session, { entry: (await desk.session.read({ after: 5, upTo: 6 }))[0]!.id });
    expect((await desk.numbers(QUESTION)).slice(0, 2)).toEqual([5, 4]);
    expect(await desk.numbers(QUESTION)).not.toContain(6);
    await desk.session.append([mark('removed', { from: 4, to: 4 })]);
    expect(await desk.numbers(QUESTION)).not.toContain(4);
    await excludeEntries(desk.session, { entry: (await desk.session.read({ after: 4, upTo: 5 }))[0]!.id });
    // A summary that spoke of it is undone with it.
    await desk.compact(2);
    expect(await desk.numbers(QUESTION)).not.toContain(5);
    expect(await desk.numbers('rivers')).toContain(1);
    await excludeEntries(desk.session, { from: 1, to: 8 });
    expect(await desk.numbers('rivers')).toEqual([]);
  });

  it('is nothing of a summary that is excluded', async () => {
    await using desk = await openDesk(TALK);
    await desk.compact(2);
    await excludeEntries(desk.session, { entry: desk.session.info.state.roots[0]!.id });
    expect(await desk.numbers(QUESTION)).toEqual([]);
  });

  it('is found behind a summary that was written among excluded messages', async () => {
    await using desk = await openDesk(TALK);
    await desk.compact(2);
    const [root] = desk.session.info.state.roots;
    await desk.session.append([user('Something to be forgotten.')]);
    await excludeEntries(desk.session, { from: root!.seq, to: root!.seq + 1 });
    expect((await desk.numbers(QUESTION))[0]).toBe(5);
  });

  it('is the same text only once, and not what the request says anyway', async () => {
    const again = user('The printer in   Leeds charges 4711 pounds for the whole\nedition, paper included.');
    await using desk = await openDesk([...TALK.slice(0, 6), again, ...TALK.slice(6)]);
    await desk.compact(2);
    const found = await desk.numbers(QUESTION);
    expect(found.filter((seq) => seq === 5 || seq === 7)).toHaveLength(1);
    await desk.session.append([again]);
    expect((await desk.numbers(QUESTION)).filter((seq) => seq === 5 || seq === 7)).toEqual([]);
  });

  it('has only a part of the compacted messages', async () => {
    const many = Array.from({ length: 100 }, (_, n) => user(`The printer mentioned offer ${n} in passing.`));
    await using desk = await openDesk([...many, ...TALK]);
    await desk.compact(2);
    const found = await desk.numbers('Which offer did the printer mention?', 100_000);
    expect(found.length).toBeGreaterThan(10);
    expect(found.length).toBeLessThan(35);
  });

  it('shows of a long message what fits the question', async () => {
    const filler = 'Plain words about nothing in particular follow here, line after line.\n'.repeat(200);
    await using desk = await openDesk([
      ...TALK.slice(0, 4),
      toolCall('fetch', { url: 'offers' }),
      toolResult('fetch', `${filler}The printer in Leeds charges 4711 pounds.\n${filler}`),
      ...TALK.slice(6),
    ]);
    await desk.compact(2);
    const [best] = await recollect(desk.store, desk.recall, desk.session.info, {
      question: QUESTION,
      maxTokens: 2000,
    });
    expect(best).toMatchObject({ seq: 6, role: 'tool' });
    expect(best!.text).toContain('4711');
    expect(best!.text.length).toBeLessThan(1000);
  });

  it('has the entries of a fork, not how its parent went on', async () => {
    await using desk = await openDesk(TALK.slice(0, 6));
    const { store, recall, session } = desk;
    const fork = await forkSession(store, session.info, { at: 5, id: 'fork' });
    await session.append([
      user('The printer in Leeds charges nothing at all, it was a joke about the printer.'),
    ]);
    await using forked = await openSession(store, fork.id);
    await forked.append([assistant('I have asked the one in York as well.'), ...TALK.slice(6)]);
    await compactSession(forked, { settings: { ...PRESETS.window, keep: { messages: 2 } } });
    const found = await recollect(store, recall, forked.info, { question: QUESTION, maxTokens: 2000 });
    expect(found.slice(0, 3).map(({ seq, text }) => [seq, text.slice(0, 11)])).toEqual([
      [5, 'The printer'],
      [4, 'Sorted. Thr'],
      [6, 'I have aske'],
    ]);
    expect(JSON.stringify(found)).not.toContain('joke');
  });

  it('reaches into the session that was resumed, and no further', async () => {
    await using desk = await openDesk(TALK);
    const { store, recall, session } = desk;
    const summary = summaryOf('A book is being made.');
    await using second = await resumeSession(store, session.info, { summary, birth: { id: 'second' } });
    await second.append([user('The printer in York wants 5000 instead.'), assistant('That is more.')]);
    await using third = await resumeSession(store, second.info, { summary, birth: { id: 'third' } });
    const ask = (info: typeof third.info) =>
      recollect(store, recall, info, { question: QUESTION, maxTokens: 2000 });
    expect((await ask(second.info))[0]).toMatchObject({ session: 'desk', seq: 5 });
    const found = await ask(third.info);
    expect(new Set(found.map((one) => one.session))).toEqual(new Set(['second']));
    await excludeEntries(second, { entry: found[0]!.entry });
    expect((await ask(third.info)).map(({ seq }) => seq)).not.toContain(found[0]!.seq);
  });

  it('is nothing where the session that was resumed is empty', async () => {
    await using desk = await openDesk([]);
    const { store, recall, session } = desk;
    const summary = summaryOf('A book is being made.');
    await using next = await resumeSession(store, session.info, { summary, birth: { id: 'next' } });
    await next.append(TALK);
    const question = 'How much does the printer in Leeds charge for the whole edition?';
    expect(await recollect(store, recall, next.info, { question })).toEqual([]);
  });

  it('is the same from an index that is made again', async () => {
    await using desk = await openDesk([...TALK, ...TALK.map((body) => ({ ...body }))]);
    await desk.compact(2);
    const ask = (recall: typeof desk.recall) =>
      recollect(desk.store, recall, desk.session.info, { question: QUESTION, maxTokens: 2000 });
    await using another = await openRecall(desk.store);
    expect(await ask(another)).toEqual(await ask(desk.recall));
    expect(await ask(desk.recall)).toEqual(await ask(desk.recall));
  });

  it('keeps to the rules that the index was made under', async () => {
    const redact = (text: string) => text.replaceAll('4711', '[redacted]');
    await using desk = await openDesk(TALK, { redact, edition: 'no sums' });
    await desk.compact(2);
    const found = await recollect(desk.store, desk.recall, desk.session.info, {
      question: QUESTION,
      maxTokens: 2000,
      redact,
    });
    expect(found[0]!.text).toContain('charges [redacted] pounds');
  });

  it('stands before the question in the context, and the meter shows it', async () => {
    await using desk = await openDesk(TALK);
    await desk.compact(2);
    const { store, recall, session } = desk;
    const { info } = session;
    const contextAfter = async (at: number) => {
      const found = await recollect(store, recall, info, { question: QUESTION, at });
      return contextOf(store, info, {
        question: QUESTION,
        budget: { window: 16_000 },
        at,
        recall: found,
      });
    };
    const built = await contextAfter(info.head);
    expect(linesOf(built).at(-2)).toMatch(
      /^user: \[Found in earlier entries.*\n.*#5 user, entry .*4711 pounds/s,
    );
    expect(linesOf(built).at(-1)).toBe(`user: ${QUESTION}`);
    expect(built.parts.find(({ part }) => part === 'recall')!.tokens).toBeGreaterThan(50);
    expect(built.recalled[0]).toMatchObject({ seq: 5 });
    const before = await contextAfter(8);
    expect(before.recalled).toEqual([]);
  });
});
