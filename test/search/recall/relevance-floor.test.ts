import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recollect } from '../../../src/search/index.ts';
import { resumeSession } from '../../../src/session/index.ts';
import { assistant, summaryOf, user } from '../../../src/testing/index.ts';
import { tellingWords } from '../../../src/text/index.ts';
import { openDesk } from './desk.ts';

/** In each language a fact with its reply, acknowledgements, and a question about the fact. */
const LANGUAGES = {
  English: {
    said: [
      'The printer in Leeds charges 4711 pounds for the edition.',
      'Good point, a nice catch: thanks, that sounds good, I will ship the second one and continue with it.',
    ],
    talk: [
      'thanks!',
      'ok',
      'yes please go ahead',
      'sounds good',
      'Perfect, thank you so much!',
      'Good morning! How are you today?',
      'lol',
      'cool, ship it',
      'good point',
      'nice catch',
      'the second one please',
      'okaaay',
    ],
    asked: 'What does the printer charge?',
  },
  German: {
    said: [
      'Der Drucker in Leipzig verlangt 4711 Euro für die Auflage.',
      'Danke, das klingt gut, ich mache damit weiter.',
    ],
    talk: [
      'Danke dir!',
      'ja bitte, mach weiter',
      'Klingt gut',
      'Guten Morgen, wie geht es dir?',
      'Vielen Dank, passt',
    ],
    asked: 'Was verlangt der Drucker?',
  },
  French: {
    said: [
      "L'imprimeur de Lyon demande 4711 euros pour l'édition.",
      'Merci, ça marche, je continue avec cela.',
    ],
    talk: [
      'Merci beaucoup !',
      "d'accord, continuez s'il vous plaît",
      "c'est parfait",
      'Bonjour, comment ça va ?',
    ],
    asked: "Combien demande l'imprimeur ?",
  },
  Spanish: {
    said: [
      'La imprenta de Bilbao cobra 4711 euros por la edición.',
      'Gracias, me parece bien, sigo adelante con eso.',
    ],
    talk: ['¡Muchas gracias!', 'vale, sigue adelante', 'perfecto', 'Buenos días, ¿cómo estás?', 'buen finde'],
    asked: '¿Cuánto cobra la imprenta?',
  },
  Portuguese: {
    said: [
      'A gráfica do Porto cobra 4711 euros pela edição.',
      'Obrigado, tens razão, bom trabalho, parece bom, vou continuar com isso.',
    ],
    talk: [
      'Muito obrigado!',
      'pode continuar',
      'beleza, valeu',
      'Bom dia, tudo bem?',
      'tens razão',
      'bom trabalho',
    ],
    asked: 'Quanto cobra a gráfica?',
  },
  Italian: {
    said: [
      'La tipografia di Torino chiede 4711 euro per la tiratura.',
      'Grazie, mi sembra ottimo, vado avanti con questo.',
    ],
    talk: ['Grazie mille!', 'va bene, procedi pure', 'perfetto', 'Buongiorno, come stai?'],
    asked: 'Quanto chiede la tipografia?',
  },
  Russian: {
    said: [
      'Типография в Казани просит 4711 рублей за тираж.',
      'Спасибо, отличная работа, ты прав, звучит хорошо, я продолжаю с этим. Спокойной ночи.',
    ],
    talk: [
      'Спасибо большое!',
      'хорошо, продолжай',
      'понял',
      'Доброе утро, как дела?',
      'отличная работа!',
      'ты прав',
      'спокойной ночи',
    ],
    asked: 'Сколько просит типография?',
  },
  Chinese: {
    said: ['利兹的印刷厂对整个版本收费四千七百镑。', '好的，谢谢，我们就这样继续做下去。'],
    talk: ['好的，谢谢', '没问题，继续吧', '明白了', '你好，今天怎么样？'],
    asked: '印刷厂收费多少？',
  },
  Japanese: {
    said: [
      'リーズの印刷所は全版で四千七百ポンドを請求します。',
      'その通りです、ありがとうございます、それでは続けます。',
    ],
    talk: [
      'ありがとうございます！',
      '了解です、続けてください',
      'はい',
      'おはようございます、お元気ですか？',
      'その通りです',
    ],
    asked: '印刷所の請求はいくら？',
  },
  Korean: {
    said: [
      '리즈의 인쇄소는 전체 판본에 사천칠백 파운드를 청구합니다.',
      '감사합니다, 좋아요, 그렇게 계속 진행하겠습니다. 안녕히 주무세요.',
    ],
    talk: [
      '네 감사합니다',
      '좋아요, 계속 진행해 주세요',
      '알겠습니다',
      '안녕하세요, 오늘 어때요?',
      '안녕히 주무세요',
    ],
    asked: '인쇄소는 얼마를 청구하나요?',
  },
} as const;

describe('the relevance floor', () => {
  it.each(Object.entries(LANGUAGES))(
    'is above small talk and below a question: %s',
    async (_, { said, talk, asked }) => {
      const [fact, reply] = said;
      await using desk = await openDesk([user(fact), assistant(reply), ...FILLING]);
      await desk.compact(2);
      for (const words of talk) expect([words, await desk.numbers(words)]).toEqual([words, []]);
      expect((await desk.numbers(asked))[0]).toBe(1);
    },
  );

  it('goes by the log for words that no list has: alone they are talk, in a sentence a subject', async () => {
    await using desk = await openDesk([
      user('Tudi bien, hvala!'),
      assistant('Hvala, zelo dobro.'),
      user('Tiskarna v Mariboru računa 4711 evrov za celotno naklado.'),
      assistant('Hvala.'),
      ...FILLING,
    ]);
    await desk.compact(2);
    expect(await desk.numbers('Hvala!')).toEqual([]);
    expect((await desk.numbers('Koliko računa tiskarna?'))[0]).toBe(3);
  });

  it('is not reached by a number that chooses from the last answer', async () => {
    await using desk = await openDesk([
      user('Option 2 of the printer in Leeds costs 4711 pounds.'),
      assistant('Then 2 it is, of 3 printers that we asked.'),
      ...FILLING,
    ]);
    await desk.compact(2);
    for (const words of ['2', 'option 2', '3 please'])
      expect([words, await desk.numbers(words)]).toEqual([words, []]);
    expect((await desk.numbers('What does printer 2 cost?')).length).toBeGreaterThan(0);
  });

  it('is not reached by what nothing that was said is about', async () => {
    await using desk = await openDesk([user(LANGUAGES.English.said[0]), assistant('Noted.'), ...FILLING]);
    await desk.compact(2);
    for (const words of ['What is the capital of France?', 'How is the weather?', '👍'])
      expect([words, await desk.numbers(words)]).toEqual([words, []]);
  });

  it('is reached by a label, and by a word beside a figure', async () => {
    await using desk = await openDesk([
      user('Encoding: Oracle has Latin-1, Postgres gets UTF-8.'),
      assistant('Noted.'),
      user('booked, confirmation IP-2207'),
      assistant('Noted.'),
      ...FILLING,
    ]);
    await desk.compact(2);
    expect((await desk.numbers('the encoding'))[0]).toBe(1);
    expect((await desk.numbers('confirmation?'))[0]).toBe(3);
  });

  it('is below any question with something that was said, whatever politeness stands around it', async () => {
    const talk = Object.values(LANGUAGES).flatMap(({ talk }) => [...talk]);
    fc.assert(
      fc.property(fc.constantFrom(...talk), fc.constantFrom(...talk), (before, after) => {
        expect(tellingWords(`${before} src/print.ts ${after}`)).toContain('src/print.ts');
        expect(tellingWords(`${before} ${after}`)).toEqual([]);
      }),
    );
  });
});

describe('recall from the session before', () => {
  it('brings back at most a quarter of it, of a short one the best hit alone', async () => {
    for (const turns of [1, 40]) {
      const talk = Array.from({ length: turns }, (_, index) => [
        user(`Step ${index}: the printer in Leeds charges ${4700 + index} pounds for part ${index}.`),
        assistant(`Noted for part ${index}: the printer charges ${4700 + index} pounds, paper included.`),
      ]).flat();
      await using desk = await openDesk(talk);
      const { store, recall } = desk;
      const parent = await desk.session.refresh();
      await using next = await resumeSession(store, parent, {
        summary: summaryOf('Printing.'),
        counts: { queries: 1, tokens: 9e6 },
      });
      const found = await recollect(store, recall, next.info, {
        question: 'What does the printer in Leeds charge for part 0?',
      });
      const size = found.reduce((sum, { text }) => sum + text.length, 0);
      const all = talk.reduce((sum, { parts }) => sum + String(parts[0]!.text).length, 0);
      if (turns === 1) expect(found).toHaveLength(1);
      else expect(size / all).toBeLessThanOrEqual(0.25);
      expect(found[0]!.text).toContain('4700');
    }
  });
});

const FILLING = [
  user('Now the chapter on rivers and lakes of the north, with a map of the delta.'),
  assistant('The chapter is drafted, with the map and a list of harbours at its end.'),
  user('And the index of names still lacks everybody from chapter nine.'),
  assistant('Added forty names from chapter nine to the index.'),
];
