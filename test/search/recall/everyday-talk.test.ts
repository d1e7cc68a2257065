import { describe, expect, it } from 'vitest';
import { assistant, user } from '../../../src/testing/index.ts';
import { openDesk } from './desk.ts';

describe('the relevance floor', () => {
  it.each([
    [
      'At noon on Friday there is lunch, and if it rains we move into the barn.',
      'brb, lunch',
      'when is lunch?',
    ],
    ['Am Freitag regnet es, das Mittagessen ist in der Scheune.', 'bei uns regnet es', 'wann regnet es?'],
    [
      'Le déjeuner du vendredi est servi dans la grange, sauf pluie.',
      'pause déjeuner',
      'où est le déjeuner ?',
    ],
    [
      'El almuerzo del viernes es en el granero si llueve mucho.',
      'voy al almuerzo',
      '¿dónde es el almuerzo?',
    ],
    ['O almoço de sexta é no celeiro se houver chuva forte.', 'pausa, almoço', 'onde é o almoço?'],
    ['Il pranzo di venerdì è nel fienile se piove troppo.', 'vado a pranzo', 'dove è il pranzo?'],
    ['В пятницу обед в полдень, в старом амбаре у мельницы.', 'отойду на обед', 'когда обед?'],
    ['星期五如果下雨就搬到老磨坊旁边的谷仓里去。', '今天下大雨了', '下雨怎么办？'],
    ['金曜日に雨が降ったら古い納屋に移ることになります。', '今日は雨です', '雨が降ったら？'],
    ['금요일 점심은 오래된 헛간에서 정오에 먹습니다.', '점심 먹고 올게요', '점심은 몇 시?'],
  ])('is not reached by small talk about the day, but by a question: %s', async (said, talk, asked) => {
    await using desk = await openDesk([user(said), assistant('Noted.'), ...FILLING]);
    await desk.compact(2);
    expect(await desk.numbers(talk)).toEqual([]);
    expect((await desk.numbers(asked))[0]).toBe(1);
  });

  it('is not reached by one word of three, but by two of them', async () => {
    await using desk = await openDesk([
      user('The harbour of Ystad is closed to ferries in winter.'),
      assistant('Noted.'),
      ...FILLING,
    ]);
    await desk.compact(2);
    for (const words of ['lol, winter jacket too thick', 'ferries made grandpa seasick'])
      expect([words, await desk.numbers(words)]).toEqual([words, []]);
    expect((await desk.numbers('back to the harbour in winter'))[0]).toBe(1);
  });

  it.each([
    [
      'The phone in the shop rings whenever the beer is delivered.',
      'hold on, phone is ringing',
      'which phone?',
    ],
    [
      'Das Telefon im Laden klingelt, wenn das Bier kommt.',
      'Moment, das Telefon klingelt',
      'Welches Telefon?',
    ],
    ['Le téléphone du magasin sonne quand la bière arrive.', 'Je te dois une bière', 'quel téléphone ?'],
    ['El teléfono de la tienda suena cuando llega la cerveza.', 'Te debo una cerveza', '¿qué teléfono?'],
    ['O telefone da loja toca quando chega a cerveja.', 'espera, o telefone', 'qual telefone?'],
    [
      'Il telefono del negozio suona quando arriva la birra.',
      'un attimo, suona il telefono',
      'quale telefono?',
    ],
    ['Телефон в магазине звонит, когда привозят пиво.', 'секундочку, телефон звонит', 'какой телефон?'],
    ['送啤酒的人来的时候店里的电话就会响个不停。', '稍等一下，电话响了', '哪个电话？'],
    ['ビールが届くと店の電話が鳴ることになっています。', 'ちょっと待って、電話です', 'どの電話？'],
    ['맥주가 도착하면 가게의 전화가 울리게 되어 있습니다.', '잠깐만요, 전화가 왔어요 ㅋㅋㅋ', '어느 전화?'],
  ])(
    'is not reached by what interrupts a chat, but by a question about it: %s',
    async (said, talk, asked) => {
      await using desk = await openDesk([user(said), assistant('Noted.'), ...FILLING]);
      await desk.compact(2);
      expect(await desk.numbers(talk)).toEqual([]);
      expect((await desk.numbers(asked))[0]).toBe(1);
    },
  );
});

const FILLING = [
  user('Now the chapter on rivers and lakes of the north, with a map of the delta.'),
  assistant('The chapter is drafted, with the map and a list of harbours at its end.'),
  user('And the index of names still lacks everybody from chapter nine.'),
  assistant('Added forty names from chapter nine to the index.'),
];
