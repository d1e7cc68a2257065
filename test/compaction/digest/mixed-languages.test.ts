import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import { assistant, logOf, user } from '../../../src/testing/index.ts';

const RULES: Readonly<Record<string, string>> = {
  en: 'The reports must never leave the building.',
  de: 'Kundennamen dürfen auf keinen Fall in den Berichten stehen.',
  fr: 'Les rapports ne doivent jamais quitter le bâtiment.',
  es: 'Los informes no pueden salir nunca de la oficina.',
  pt: 'Os relatórios nunca devem sair do escritório.',
  it: 'I rapporti non devono mai uscire dal nostro ufficio.',
  ru: 'Отчёты нельзя выносить из офиса.',
  ko: '보고서는 절대 밖으로 나가면 안 됩니다.',
  ja: '報告書は絶対に社外に出してはいけない。',
  zh: '报告绝对不要带出公司。',
};

const ENGLISH = [
  'We print the monthly reports for the branch in the harbour, and they are late every time.',
  'The printer is in the basement, which is where most of the time goes.',
  'It would be good to have them on the desk on the second day of the month.',
];
const GERMAN = [
  'Wir drucken die Monatsberichte für die Filiale am Hafen, und sie kommen jedes Mal zu spät.',
  'Der Drucker steht im Keller, und dort geht die meiste Zeit verloren.',
  'Es wäre gut, wenn sie am zweiten Tag des Monats auf dem Tisch liegen.',
];

function rulesOf(talk: readonly string[], rule: string): readonly string[] {
  const [first, second, third] = talk as [string, string, string];
  const log = logOf(
    user(first),
    assistant('OK.'),
    user(`${second} ${rule}`),
    assistant('OK.'),
    user(third),
    assistant('OK.'),
  );
  return digestEntries(log, { maxTokens: 2000 }).standing?.map(({ text }) => text) ?? [];
}

describe('a rule in another language than the rest of the talk', () => {
  it.each(Object.entries(RULES))('is a rule in English talk (%s)', (_language, rule) => {
    expect(rulesOf(ENGLISH, rule)).toEqual([rule]);
  });

  it.each(Object.entries(RULES))('is a rule in German talk (%s)', (_language, rule) => {
    expect(rulesOf(GERMAN, rule)).toEqual([rule]);
  });
});

describe('a word that means something else in another language', () => {
  it('makes no rule of a sentence of the talk', () => {
    // "mai" is never in Italian, a month in French and German.
    const rule = rulesOf(GERMAN, 'Der Bericht für Mai liegt schon auf dem Tisch der Leitung.');
    expect(rule).toEqual([]);
  });

  it('makes no rule of a sentence beside one that is in that language', () => {
    const said =
      'Der Bericht für Mai liegt auf dem Tisch. I rapporti non sono belli, ma per ora va bene così.';
    expect(rulesOf(GERMAN, said)).toEqual([]);
  });
});
