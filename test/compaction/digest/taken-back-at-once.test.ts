import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import type { Message } from '../../../src/record/index.ts';
import { assistant, logOf, user } from '../../../src/testing/index.ts';

const digest = (...entries: Message[]) => digestEntries(logOf(...entries), { maxTokens: 2000 });
const texts = (lines: readonly { readonly text: string }[] = []) => lines.map(({ text }) => text).join('\n');

/** What was settled, how the agent said it again, and how the person took it back. */
const AGAIN: Readonly<Record<string, readonly [settled: string, restated: string, again: string]>> = {
  en: [
    'Paint the boat shed in dark green.',
    'The boat shed in dark green.',
    'Actually no. The club wants white.',
  ],
  de: [
    'Wir nehmen den Bootsschuppen in Dunkelgrün.',
    'Der Bootsschuppen in Dunkelgrün.',
    'Moment, nein. Der Verein will Weiß.',
  ],
  fr: [
    'On prend le hangar en vert foncé.',
    'Le hangar en vert foncé.',
    'Attends, non. Le club veut du blanc.',
  ],
  es: [
    'Vamos con el cobertizo en verde oscuro.',
    'El cobertizo en verde oscuro.',
    'Espera, no. El club quiere blanco.',
  ],
  pt: [
    'Vamos com o galpão em verde-escuro.',
    'O galpão em verde-escuro.',
    'Peraí, não. O clube quer branco.',
  ],
  it: [
    'Facciamo il capanno in verde scuro.',
    'Il capanno in verde scuro.',
    'Aspetta, no. Il club vuole bianco.',
  ],
  ru: ['Красим сарай в тёмно-зелёный цвет.', 'Сарай в тёмно-зелёный цвет.', 'Стоп, клуб хочет белый.'],
};

describe('a choice that the next words take back', () => {
  it.each(Object.entries(AGAIN))(
    'stands no longer, in any wording (%s)',
    (_language, [settled, restated, again]) => {
      const summary = digest(
        user('We plan the repairs at the club for the 2nd of May.'),
        assistant('Which colour?'),
        user(settled),
        assistant(restated),
        user(again),
        assistant('OK.'),
      );
      const said = `${texts(summary.decisions)}\n${texts(summary.facts)}`;
      expect(said).not.toContain(settled);
      expect(said).not.toContain(restated);
      expect(said + texts(summary.standing)).toContain(again.split(/(?<=[.,]) /).at(-1));
    },
  );

  it('stands where the words answer a question instead', () => {
    const { decisions } = digest(
      user('We plan the repairs at the club for the 2nd of May.'),
      assistant('Which colour?'),
      user('We take dark green for the boat shed.'),
      assistant('Dark green for the boat shed. Should the club pay for it?'),
      user('Actually no. The harbour pays.'),
      assistant('OK.'),
    );
    expect(texts(decisions)).toContain('We take dark green for the boat shed.');
  });

  it('goes alone where the words name it', () => {
    const { decisions } = digest(
      user('We plan the repairs at the club for the 2nd of May.'),
      assistant('What comes first?'),
      user('We take dark green for the shed. We order the anchors from Olsen.'),
      assistant('OK.'),
      user('Hm, wait, no. The anchors come from Berg.'),
      assistant('OK.'),
    );
    expect(texts(decisions)).toContain('We take dark green for the shed.');
    expect(texts(decisions)).not.toContain('Olsen');
  });

  it('goes with what the person says is out', () => {
    const { decisions } = digest(
      user('I look for a hall for the choir, for 40 people.'),
      assistant('The chapel, or the gym?'),
      user('The chapel. It sounds better.'),
      assistant('The chapel then.'),
      user('How do people with prams get in?'),
      assistant('There are nine steps and no ramp.'),
      user("Then the chapel's out. The gym."),
      assistant('The gym, then.'),
    );
    expect(texts(decisions)).not.toMatch(/^The chapel/m);
    expect(texts(decisions)).toContain('The gym');
  });
});

describe('what an agent did unasked', () => {
  it('is undone, and not what the person reported before it', () => {
    const summary = digest(
      user('The import of the orders takes an hour. Help me find out why.'),
      assistant('The index on order_lines is missing.'),
      user("I've added the index, the last run took 4 minutes"),
      assistant('Very good. I also changed the queue so that it keeps failed orders.'),
      user('thanks, but undo that. The warehouse reads the queue.'),
      assistant('OK.'),
    );
    expect(texts(summary.completed)).toContain("I've added the index, the last run took 4 minutes");
    expect(texts(summary.dropped)).toBe(
      'I also changed the queue so that it keeps failed orders. → thanks, but undo that.',
    );
    expect(texts(summary.decisions)).not.toContain('queue');
  });
});

describe('dates of two things in one month', () => {
  it('do not replace each other', () => {
    const { decisions } = digest(
      user('I organise a course for 20 bakers.'),
      assistant('When is it?'),
      user('26 and 27 September.'),
      assistant('26 and 27 September, Friday and Saturday.'),
      user('Registration opens on 1 June and closes on 5 September.'),
      assistant('Opens 1 June, closes 5 September.'),
    );
    expect(texts(decisions)).toContain('26 and 27 September, Friday and Saturday.');
  });

  it('of two hours neither does, where one is a time and the other a length', () => {
    const { decisions, facts } = digest(
      user('미용실 예약을 정리하려고 합니다.'),
      assistant('알림은 언제 보낼까요?'),
      user('알림은 전날 오후 6시로 해요.'),
      assistant('전날 오후 6시에 알림을 보내겠습니다.'),
      user('취소는 12시간으로 해요.'),
      assistant('12시간 전까지 취소 가능하게 하겠습니다.'),
    );
    expect(`${texts(decisions)}\n${texts(facts)}`).toContain('6시');
  });
});
