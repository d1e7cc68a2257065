import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import type { Message } from '../../../src/record/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { cuesFor } from '../../../src/text/language/cues.ts';
import { measuresIn } from '../../../src/text/language/measures.ts';

const digest = (...entries: Message[]) => digestEntries(logOf(...entries), { maxTokens: 2000 });
const texts = (lines: readonly { readonly text: string }[] = []) => lines.map(({ text }) => text).join('\n');

const BLOCKED: Readonly<Record<string, string>> = {
  en: "I can't print the badges until the list of guests is here.",
  de: 'Ohne die Gästeliste kann ich die Schilder nicht drucken.',
  fr: 'Sans la liste des invités, je ne peux pas imprimer les badges.',
  es: 'Sin la lista de invitados no puedo imprimir las tarjetas.',
  pt: 'Sem a lista de convidados não posso imprimir os crachás.',
  it: 'Senza la lista degli invitati non posso stampare i cartellini.',
  ru: 'Без списка гостей не могу напечатать бейджи.',
  ko: '손님 명단이 없으면 명찰을 인쇄할 수 없습니다.',
  ja: '名簿がないと名札を印刷できません。',
  zh: '没有名单就不能打印胸牌。',
};

const TRIED: Readonly<Record<string, string>> = {
  en: 'I tried the round tables in the small hall but nobody could get past them.',
  de: 'Ich habe runde Tische im kleinen Saal probiert, aber keiner kam vorbei.',
  fr: "J'ai essayé les tables rondes dans la petite salle, mais personne ne passait.",
  es: 'Probé las mesas redondas en la sala pequeña, pero nadie podía pasar.',
  pt: 'Testei as mesas redondas na sala pequena, mas ninguém passava com os pratos.',
  it: 'Ho provato i tavoli rotondi nella sala piccola, ma non si passava.',
  ru: 'Пробовали поставить круглые столы в малом зале, но никто не проходил.',
  ko: '작은 홀에 둥근 탁자를 놓아 봤지만 지나갈 수가 없었어요.',
  ja: '小ホールに丸テーブルを試したが、通れなかった。',
  zh: '试过在小厅里摆圆桌，但没人能过去。',
};

function talkWith(said: string) {
  return digest(
    user('We plan the dinner of the club for 60 guests in May.'),
    assistant('What is ready?'),
    user(said),
    assistant('OK.'),
    user('The cook comes at noon.'),
    assistant('OK.'),
  );
}

describe('what came of something', () => {
  it.each(Object.entries(BLOCKED))('is an obstacle, under its heading (%s)', (_language, said) => {
    expect(texts(talkWith(said).blockers)).toContain(said);
  });

  it.each(Object.entries(TRIED))('is tried and dropped, and not done (%s)', (_language, said) => {
    const { dropped, completed } = talkWith(said);
    expect(texts(dropped)).toContain(said);
    expect(texts(completed)).not.toContain(said);
  });

  it('is no obstacle any more when the person gives the missing part', () => {
    const { blockers } = digest(
      user('Print the badges, please.'),
      assistant('I can not print the badges because the list of guests is missing.'),
      user('The list of guests is in the folder now.'),
      assistant('The badges are printed.'),
    );
    expect(blockers).toEqual([]);
  });

  it('is open, where the newest answer says that it fails', () => {
    const { pending } = digest(
      user('Make the test of the invoices pass.'),
      toolCall('Edit', { file_path: 'a.ts' }, { id: '1' }),
      toolResult('Edit', 'ok', { id: '1' }),
      assistant('The rounding is right. The test of the exchange rates still fails on Windows.'),
    );
    expect(texts(pending)).toContain('The test of the exchange rates still fails on Windows.');
  });

  it('is the state of the work, in the words of the agent', () => {
    const { state } = digest(
      user('Make the invoices round to cents.'),
      toolCall('Edit', { file_path: 'a.ts' }, { id: '1' }),
      toolResult('Edit', 'ok', { id: '1' }),
      assistant('Rounded all sums of the invoices to whole cents.'),
    );
    expect(texts(state)).toBe('Rounded all sums of the invoices to whole cents.');
  });
});

describe('a date with its month first', () => {
  it('is the same date as with its day first', () => {
    expect(measuresIn('The draft is due June 3rd.')).toEqual(measuresIn('The draft is due 3 June.'));
  });
});

describe('hesitation', () => {
  it.each(['no, blue', 'actually, no, blue', 'hm, no. Blue', 'wait, no'])('keeps a no a no: %s', (said) => {
    expect(cuesFor(['that is it and we have to']).rejects.test(said)).toBe(true);
  });

  it('makes no no of "no problem"', () => {
    expect(cuesFor(['that is it and we have to']).rejects.test('no problem, go on')).toBe(false);
  });
});

describe('what the person needs', () => {
  it.each([
    'We need a job queue with tenants for the billing team.',
    'I need a landing page for the flower shop.',
    'We exceed the quota of the mail server every Monday.',
  ])('is not done because the word ends like one of the past: %s', (said) => {
    const { completed } = digest(user(said), assistant('What should it look like?'), user('Plain, please.'));
    expect(texts(completed)).toBe('');
  });

  it('is done when it says so', () => {
    const { completed } = digest(
      user('The billing team waits for a queue.'),
      assistant('Since when?'),
      user('We replaced the queue of the billing team.'),
    );
    expect(texts(completed)).toContain('We replaced the queue');
  });
});
