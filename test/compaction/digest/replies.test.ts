import { describe, expect, it } from 'vitest';
import { buildSummary } from '../../../src/compaction/digest/build-summary.ts';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import { emptySummary, type Message } from '../../../src/record/index.ts';
import { assistant, logOf, user } from '../../../src/testing/index.ts';
import { measuresIn } from '../../../src/text/language/measures.ts';
import { joined, readStatements } from '../../../src/text/language/statements.ts';

const digest = (...entries: Message[]) => digestEntries(logOf(...entries), { maxTokens: 2000 });
const texts = (lines: readonly { readonly text: string }[] = []) => lines.map(({ text }) => text);

describe('a plain answer of the person', () => {
  it('is a decision where the agent asked for one of two', () => {
    const { decisions } = digest(
      user('Ich plane das Sommerfest für 80 Leute am 14. Juni.'),
      assistant('Buffet oder Menü?'),
      user('Buffet vom Gasthof nebenan'),
      assistant('Und die Musik?'),
      user('Die Kapelle vom letzten Jahr, 600 Euro'),
    );
    expect(texts(decisions).join('\n')).toContain('Buffet vom Gasthof nebenan');
  });

  it('is a decision where it puts something else in the place of a proposal', () => {
    const { decisions } = digest(
      user('Мы печатаем календарь тиражом 500 штук.'),
      assistant('Обложка матовая, скрепка по центру.'),
      user('обложка глянцевая, края закруглить'),
      assistant('Срок?'),
      user('к 5 декабря'),
    );
    expect(texts(decisions).join('\n')).toContain('обложка глянцевая');
  });

  it('keeps together a message and its immediate withdrawal', () => {
    const { decisions } = digest(
      user('Dobbiamo ordinare le sedie, 40 in tutto.'),
      assistant('Quali prendiamo?'),
      user('le sedie rosse di legno chiaro. anzi, quelle blu di plastica leggera'),
      assistant('Consegna?'),
      user('il 12 maggio'),
    );
    expect(texts(decisions).join('\n')).toContain(
      'le sedie rosse di legno chiaro. anzi, quelle blu di plastica leggera',
    );
  });
});

describe('the goal', () => {
  it('is the first request, also where it is short', () => {
    const { goal } = digest(
      user('Let us build the shop.'),
      assistant('With which parts?'),
      user('Next is the cache service, with 40 ms at most.'),
      assistant('Noted.'),
    );
    expect(texts(goal)[0]).toBe('Let us build the shop.');
  });
});

describe('a decision', () => {
  it('has the sentence behind it that says why', () => {
    const { decisions } = digest(
      user('We have to choose the paper for 300 posters.'),
      assistant('Glossy or matt?'),
      user("let's take matt paper. Because the lamps in the hall are very bright."),
      assistant('And the size?'),
    );
    expect(decisions).toContainEqual(
      expect.objectContaining({
        text: "let's take matt paper.",
        reason: 'Because the lamps in the hall are very bright',
      }),
    );
  });

  it('names the one whose place it took', () => {
    const { decisions } = digest(
      user('Plan the launch with the pilot customers, please.'),
      assistant('How many pilot customers?'),
      user("let's take three pilots: Veolis, Armand, Nantes"),
      assistant('Noted.'),
      user('wait, make it two pilots: Veolis, Armand'),
      assistant('And the date?'),
    );
    expect(decisions).toContainEqual(
      expect.objectContaining({
        text: expect.stringContaining('make it two pilots'),
        supersedes: "let's take three pilots: Veolis, Armand, Nantes",
      }),
    );
  });
});

describe('talk that names figures', () => {
  it('is read for what it settles, also where no cue word is known and it is long', () => {
    const things = [
      '문',
      '벽',
      '창',
      '책상',
      '의자',
      '등',
      '선반',
      '바닥',
      '천장',
      '계단',
      '현관',
      '욕실',
      '부엌',
      '마당',
    ];
    const { decisions } = digest(
      user('우리 10월 3일에 이사해요, 짐은 5톤쯤이에요.'),
      ...things.flatMap((thing, at) => [
        assistant(`${thing} 색은 흰색.`),
        user(`${thing} 색은 회색${at % 4 === 0 ? `, 통 ${at + 2}` : ''}`),
      ]),
    );
    expect(decisions.length).toBeGreaterThan(2);
  });
});

describe('small talk', () => {
  it('that goes on after a summary has no goal', () => {
    const entries = logOf(
      user('thanks! By the way, we walked 12 km along the river and had soup.'),
      assistant('That sounds nice, I like rivers.'),
    );
    expect(digestEntries(entries, { maxTokens: 600, goesOn: true }).goal ?? []).toEqual([]);
  });

  it('has no decisions and rules made of pleasantries', () => {
    const places = [
      'Alps',
      'Dolomites',
      'Vosges',
      'Tatra',
      'Pyrenees',
      'Rila',
      'Harz',
      'Jura',
      'Ural',
      'Andes',
    ];
    const summary = digest(
      ...places.flatMap((place) => [
        user(`My sister went hiking in the ${place} and saw an ibex near a hut with old friends.`),
        assistant('How lovely, what a day that was.'),
        user(`She told me about the ${place} for a whole evening, over soup and bread at home.`),
        assistant('Soup and stories go well together.'),
      ]),
      user("I'm always happy when we talk!"),
      assistant('Me too.'),
    );
    expect([...summary.decisions, ...(summary.standing ?? [])]).toEqual([]);
  });

  it('keeps a decision in its list that the agent took note of', () => {
    const rivers = ['Rhine', 'Elbe', 'Loire', 'Tagus', 'Volga', 'Danube', 'Po', 'Ebro', 'Oder', 'Tiber'];
    const summary = digest(
      ...rivers.flatMap((river) => [
        user(`My aunt told me about the ${river} again, where she learnt to swim.`),
        assistant('How lovely, what a day that was.'),
      ]),
      user('We decided to keep the exporter in Rust.'),
      assistant('Okay.'),
      user('We walked home along the canal and talked.'),
      assistant('That sounds nice, I like canals.'),
      user('It rained a little on the way.'),
      assistant('A little rain is fine.'),
    );
    expect(texts(summary.decisions)).toEqual(['We decided to keep the exporter in Rust.']);
  });
});

describe('sentences of Chinese and Japanese', () => {
  it.each([
    ['one after the other', '空は青い。風は強い。', '空は青い。風は強い。'],
    ['on two lines', '空は青い。\n風は強い。', '空は青い。 風は強い。'],
  ])('%s are joined as they were written', (_, text, expected) => {
    const [first, second] = readStatements(text);
    expect(joined(first!.text, second!)).toBe(expected);
  });

  it.each([
    ['beside each other', true, '空は青い。風は強い。'],
    ['apart', false, '空は青い。 … 風は強い。'],
  ])('that stood %s share a line of facts so that it can be seen', (_, glued, expected) => {
    const fact = (text: string, order: number) => ({ section: 'facts' as const, text, from: ['e'], order });
    const items = [fact('空は青い。', 1), fact('風は強い。', 2)];
    const { facts } = buildSummary(items, { background: '', isGlued: () => glued });
    expect(texts(facts)).toEqual([expected]);
  });
});

describe('measures', () => {
  it.each([
    ['on 12. April', 'date'],
    ['в пятницу 21 октября', 'date'],
    ['表要两张', '张'],
    ['uma semana basta', 'semana'],
    ['손님은 150명쯤', '명'],
  ])('of "%s" are by %s', (text, unit) => {
    expect([...measuresIn(text).keys()]).toContain(unit);
  });
});

describe('small talk behind a summary', () => {
  const told = [
    '> There are two warehouses, one in Pisa and one in Graz.',
    '> The old way in goes on 3 March.',
  ];
  const earlier = [
    {
      ...emptySummary('The staging box is called heron.'),
      facts: [...told, '> The film was lovely.', '> The coffee made me laugh.'].map((text) => ({
        text,
        from: ['older'],
      })),
    },
  ];
  const entries = logOf(
    ...['train', 'garden', 'market', 'bakery', 'film', 'bicycle'].flatMap((thing) => [
      user(`The ${thing} was a disappointment this morning on the way to town.`),
      assistant('How annoying.'),
    ]),
    user('Remind me to call Oyelaran about the keys.'),
    assistant('I will.'),
    ...['opera', 'museum', 'tram', 'harbour', 'canteen', 'library'].flatMap((thing) => [
      user(`The ${thing} made me laugh a little when I walked home.`),
      assistant('I can imagine.'),
    ]),
  );

  it('adds no goal', () => {
    const { goal } = digestEntries(entries, { maxTokens: 600, earlier });
    expect(texts(goal)).toEqual(['The staging box is called heron.']);
  });

  it('leaves what has a name or a figure, however little room there is', () => {
    const { facts } = digestEntries(entries, { maxTokens: 80, earlier });
    expect(texts(facts)).toEqual(expect.arrayContaining(told));
    expect(texts(facts)).not.toContain('> The coffee made me laugh.');
  });

  it('keeps a reminder open', () => {
    const { pending } = digestEntries(entries, { maxTokens: 600, earlier });
    expect(texts(pending)).toEqual(['Remind me to call Oyelaran about the keys.']);
  });

  it('takes "das erinnert mich an" for no reminder', () => {
    const talk = digest(
      user('Der Film war schön, das erinnert mich an eine Reise nach Pisa.'),
      assistant('Das klingt schön.'),
      user('Und dann der Regen, das erinnert mich an eine Reise nach Lübeck.'),
      assistant('Das klingt schön.'),
    );
    expect(talk.pending).toEqual([]);
  });
});
