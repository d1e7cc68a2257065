import { describe, expect, it } from 'vitest';
import type { EntryBody } from '../../../src/record/index.ts';
import { excludeEntries } from '../../../src/session/index.ts';
import { assistant, user } from '../../../src/testing/index.ts';
import { openDesk } from './desk.ts';

/** Entry 1 answers; entry 8 is about the same matter in words that only entry 1 shares with it. */
const TALK: readonly EntryBody[] = [
  user('The ferry to Skye leaves at dawn, and Calum the piper is aboard.'),
  assistant('Good to know, it is on the list.'),
  user('The lease of the barn ends in autumn.'),
  assistant('Then the tools have to be moved before that.'),
  user('The roof of the chapel needs slate from the old quarry.'),
  assistant('I will ask what a cart of it costs these days.'),
  user('Bread for the whole week is ordered from the mill.'),
  assistant('Calum, who is a piper, wants forty pounds for an evening.'),
  user('What about the weather tomorrow?'),
  assistant('Sunny, they say.'),
];
const QUESTION = 'When does the ferry to Skye leave?';

describe('recall beyond the words of the question', () => {
  it('has hits about the subject of the best ones, behind direct hits', async () => {
    await using desk = await openDesk(TALK, { embedder: 'none' });
    await desk.compact(2);
    const found = await desk.numbers(QUESTION);
    expect(found[0]).toBe(1);
    expect(found).toContain(8);
    expect((await desk.recall.search(QUESTION)).map(({ seq }) => seq)).not.toContain(8);
  });

  it('does not use words of excluded entries', async () => {
    await using desk = await openDesk(TALK, { embedder: 'none' });
    await desk.compact(2);
    const [answer] = await desk.session.read({ upTo: 1 });
    await excludeEntries(desk.session, { entry: answer!.id });
    await desk.compact(2);
    expect(await desk.numbers('slate')).toContain(5);
    const found = await desk.numbers(QUESTION);
    expect(found).not.toContain(1);
    expect(found).not.toContain(8);
  });

  it('is empty where words cannot be separated, and direct hits are found all the same', async () => {
    const said = ['渡轮在黎明开往斯凯岛', '屋顶需要旧采石场的石板', '面包已经订好了', '天气很好', '明天见'];
    await using desk = await openDesk(
      said.map((text) => user(text)),
      { embedder: 'none' },
    );
    await desk.compact(1);
    expect((await desk.numbers('渡轮什么时候开'))[0]).toBe(1);
  });
});
