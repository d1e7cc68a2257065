import { describe, expect, it } from 'vitest';
import { nameTwoThings } from '../../../src/compaction/digest/labels.ts';
import { withoutSuperseded } from '../../../src/compaction/digest/supersede.ts';
import { createLine } from '../../../src/text/language/lines.ts';

/** What is left of two decisions of a person, one after the other. */
function decided(...texts: string[]): string[] {
  const lines = texts.map((text, place) =>
    createLine({
      text,
      from: [],
      by: 'user',
      act: 'choice',
      section: 'decisions',
      value: 1,
      place,
      turn: 5 * place,
    }),
  );
  return withoutSuperseded(lines).kept.map(({ text }) => text);
}

describe('a figure behind a noun names a thing: both decisions stand', () => {
  it.each([
    [
      'the billing worker 12 listens on port 8417 after 30 seconds',
      'the billing worker 24 listens on port 8489 after 40 seconds',
    ],
    ['tenant 14 gets 30 seats and 5 admins', 'tenant 22 gets 50 seats and 8 admins'],
    ['kiln 7 runs at 800 degrees for 3 hours', 'kiln 9 runs at 900 degrees for 4 hours'],
    ['issue #12 goes to the team with 3 reviewers', 'issue #31 goes to the team with 2 reviewers'],
    ['der Mandant 14 bekommt 30 Plätze und 5 Verwalter', 'der Mandant 22 bekommt 50 Plätze und 8 Verwalter'],
    [
      'le worker 12 écoute sur le port 8417 avec 3 essais',
      'le worker 24 écoute sur le port 8489 avec 5 essais',
    ],
    [
      'el trabajador 12 escucha en el puerto 8417 con 3 intentos',
      'el trabajador 24 escucha en el puerto 8489 con 5 intentos',
    ],
    ['il forno 7 cuoce a 800 gradi per 3 ore', 'il forno 9 cuoce a 900 gradi per 4 ore'],
    ['o cliente 14 recebe 30 lugares e 5 gestores', 'o cliente 22 recebe 50 lugares e 8 gestores'],
    ['воркер 12 слушает порт 8417 и делает 3 попытки', 'воркер 24 слушает порт 8489 и делает 5 попыток'],
    ['12号工人使用端口8417，重试3次', '24号工人使用端口8489，重试5次'],
    ['ワーカー12はポート8417で再試行3回にする', 'ワーカー24はポート8489で再試行5回にする'],
    ['워커 12는 포트 8417에서 재시도 3회', '워커 24는 포트 8489에서 재시도 5회'],
  ])('%s', (earlier, later) => {
    expect(nameTwoThings(later, earlier)).toBe(true);
    expect(decided(earlier, later)).toEqual([earlier, later]);
  });
});

describe('a figure before a noun measures: the later decision replaces the earlier one', () => {
  it.each([
    ['5 retries and 20 seconds for the gateway', '3 retries and 10 seconds for the gateway'],
    [
      'the gateway allows 3 retries and waits 10 seconds',
      'the gateway allows 5 retries and waits 20 seconds',
    ],
    ['we use 3 retries and wait 10 seconds', 'we use 5 retries and wait 20 seconds'],
    ['keep the last 5 backups for 30 days', 'keep the last 8 backups for 60 days'],
    [
      'das Gateway macht 3 Versuche und wartet 10 Sekunden',
      'das Gateway macht 5 Versuche und wartet 20 Sekunden',
    ],
    ['on garde 3 essais et 10 secondes', 'on garde 5 essais et 20 secondes'],
    ['usamos 3 intentos y 10 segundos', 'usamos 5 intentos y 20 segundos'],
    ['facciamo 3 tentativi e 10 secondi', 'facciamo 5 tentativi e 20 secondi'],
    ['fazemos 3 tentativas e 10 segundos', 'fazemos 5 tentativas e 20 segundos'],
    ['шлюз делает 3 попытки и ждёт 10 секунд', 'шлюз делает 6 попытки и ждёт 20 секунд'],
    ['网关重试3次，等待10秒', '网关重试5次，等待20秒'],
    ['ゲートウェイは再試行3回、待ち10秒にする', 'ゲートウェイは再試行5回、待ち20秒にする'],
    ['게이트웨이는 재시도 3회, 대기 10초로 한다', '게이트웨이는 재시도 5회, 대기 20초로 한다'],
  ])('%s', (earlier, later) => {
    expect(nameTwoThings(later, earlier)).toBe(false);
    const kept = decided(earlier, later);
    expect(kept).toHaveLength(1);
    expect(kept[0]).toContain(later);
  });
});

it('a day or a time of day names nothing', () => {
  expect(nameTwoThings('the review is on May 11', 'the review is on May 4')).toBe(false);
  expect(nameTwoThings('the review is on Friday 11', 'the review is on Friday 4')).toBe(false);
  expect(nameTwoThings('the review starts at 11', 'the review starts at 9')).toBe(false);
});

it('the same units in a line that tells of something else replace nothing', () => {
  const texts = [
    '72 hours, then, with about 20 attempts',
    'a log in the dashboard with the last 100 attempts per endpoint, and the success rate over 24 hours',
  ];
  expect(decided(...texts)).toEqual(texts);
});
