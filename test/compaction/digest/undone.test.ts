import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import type { Message } from '../../../src/record/index.ts';
import { renderSummary } from '../../../src/summary/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';

const digest = (...entries: Message[]) => digestEntries(logOf(...entries), { maxTokens: 2000 });
const texts = (lines: readonly { readonly text: string }[] = []) => lines.map(({ text }) => text).join('\n');
let calls = 0;
const worked = (file: string): Message[] => {
  const id = `${calls++}`;
  return [toolCall('Edit', { file_path: file }, { id }), toolResult('Edit', 'ok', { id })];
};

/** What was asked and reported, and the words that took it back. */
const UNDONE: Readonly<Record<string, readonly [asked: string, done: string, undo: string]>> = {
  'en, bare': ['Sort the invoices by date.', 'Sorted the invoices by date.', 'undo that'],
  'en, with hesitation': [
    'Rename the customer table to clients.',
    'Renamed the table customer to clients.',
    'hm, actually revert the rename, the reports read the old name',
  ],
  'en, asked politely': [
    'Add a dark theme to the portal.',
    'Added the dark theme to the portal.',
    'Can you roll that back please?',
  ],
  de: [
    'Bau bitte eine Suche in die Liste der Mitglieder ein.',
    'Die Suche ist in die Liste der Mitglieder eingebaut.',
    'Nimm die Suche bitte wieder raus, das verwirrt alle.',
  ],
  fr: [
    'Ajoute une colonne avec le prix au tableau des ventes.',
    "J'ai ajouté la colonne du prix au tableau des ventes.",
    'Annule ça, le client ne doit pas le voir.',
  ],
  es: [
    'Añade una columna con el precio a la tabla de ventas.',
    'He añadido la columna del precio a la tabla de ventas.',
    'Deshaz eso, el cliente no debe verlo.',
  ],
  pt: [
    'Adiciona uma coluna com o preço na tabela de vendas.',
    'A coluna do preço foi adicionada na tabela de vendas.',
    'Desfaz isso, o cliente não pode ver.',
  ],
  it: [
    'Aggiungi una colonna con il prezzo alla tabella delle vendite.',
    'La colonna del prezzo è stata aggiunta alla tabella delle vendite.',
    'Annulla, il cliente non deve vederlo.',
  ],
  ru: [
    'Добавь столбец с ценой в таблицу продаж.',
    'Столбец с ценой добавлен в таблицу продаж.',
    'Отмени это, клиент не должен видеть цену.',
  ],
  ko: [
    '판매 표에 가격 열을 추가해 주세요.',
    '판매 표에 가격 열을 추가했습니다.',
    '그건 되돌려 주세요, 고객이 보면 안 됩니다.',
  ],
  ja: [
    '売上表に価格の列を追加してください。',
    '売上表に価格の列を追加しました。',
    'それは元に戻してください。お客様に見せられません。',
  ],
  zh: ['在销售表里加一列价格。', '已在销售表里添加价格列。', '撤销这个，客户不能看到。'],
};

describe('what the person takes back', () => {
  it.each(Object.entries(UNDONE))(
    'is neither done nor decided any more (%s)',
    (_name, [asked, done, undo]) => {
      const summary = digest(
        user(asked),
        ...worked('src/a.ts'),
        assistant(done),
        user(undo),
        ...worked('src/a.ts'),
        assistant('OK.'),
      );
      expect(texts(summary.completed)).not.toContain(done);
      expect(texts(summary.decisions)).not.toContain(done);
      expect(texts(summary.facts)).not.toContain(done);
      expect(texts(summary.dropped)).toContain(asked);
      expect(texts(summary.dropped)).toContain(undo.split(/(?<=[。.]) ?/)[0]);
    },
  );

  it('is the named step, and not the last one', () => {
    const summary = digest(
      user('Add a search box to the members page.'),
      ...worked('members.ts'),
      assistant('Added the search box to the members page.'),
      user('Now add paging to the invoices.'),
      ...worked('invoices.ts'),
      assistant('Added paging to the invoices.'),
      user('Please take the search box out again'),
      ...worked('members.ts'),
      assistant('Removed the search box.'),
    );
    expect(texts(summary.dropped)).toContain('Add a search box to the members page.');
    expect(texts(summary.completed)).toContain('Added paging to the invoices.');
    expect(texts(summary.completed)).not.toContain('Added the search box');
  });

  it('stands again when the taking back is taken back', () => {
    const summary = digest(
      user('Add a search box to the members page.'),
      ...worked('members.ts'),
      assistant('Added the search box to the members page.'),
      user('undo that'),
      ...worked('members.ts'),
      assistant('Removed the search box.'),
      user('undo that again, they want it after all'),
      ...worked('members.ts'),
      assistant('The search box is back.'),
    );
    expect(texts(summary.completed)).toContain('Added the search box to the members page.');
    expect(texts(summary.dropped)).not.toContain('Add a search box to the members page.');
  });

  it('is the decision, where people only talk', () => {
    const text = renderSummary(
      digest(
        user('We plan the summer party for 80 people in the yard.'),
        assistant('What about music?'),
        user('Let us hire the brass band for 900 euros.'),
        assistant('The brass band for 900 euros it is.'),
        user('Scratch that, the neighbours complained last year.'),
        assistant('OK, no band.'),
        user('Food comes from the butcher next door.'),
        assistant('Noted.'),
      ),
    );
    expect(text).not.toMatch(
      /^- (?:The brass band for 900 euros it is|Let us hire the brass band for 900 euros)\.$/m,
    );
    expect(text).toContain('Scratch that, the neighbours complained last year.');
  });

  it('is not what a question about it, or a feature of that name, speaks of', () => {
    for (const said of ['Why did you undo that in the old editor?', 'Add an undo button to the editor.']) {
      const { completed } = digest(
        user('Sort the invoices by date.'),
        ...worked('src/a.ts'),
        assistant('Sorted the invoices by date.'),
        user(said),
        ...worked('src/b.ts'),
        assistant('OK, it is there.'),
      );
      expect(texts(completed)).toContain('Sorted the invoices by date.');
    }
  });

  it('stands with their words, where they say no to it by name', () => {
    const summary = digest(
      user('Add a cache to the profile page.'),
      ...worked('profile.ts'),
      assistant(
        'Added a cache with Valkey to the profile page. Pages of other people are cached for an hour as well.',
      ),
      user('actually, no valkey. One process is all we have.'),
      ...worked('profile.ts'),
      assistant('The cache is a map in memory now.'),
    );
    expect(texts(summary.completed)).not.toContain('Added a cache with Valkey');
    expect(texts(summary.facts)).not.toContain('Added a cache with Valkey');
  });
});

describe('a long first message', () => {
  const rules = Array.from({ length: 14 }, (_, at) => `Never change the table t_${at} of the ledger.`);
  const filler = Array.from(
    { length: 40 },
    (_, at) => `The branch in street ${at} sends its figures on paper.`,
  );

  it('keeps every rule, also behind a paste', () => {
    const pasted = Array.from(
      { length: 200 },
      (_, at) => `2026-03-03T10:14:${at} ERROR timeout of order ${at}`,
    );
    const { standing = [] } = digest(
      user([...filler, ...pasted, ...rules].join('\n')),
      ...worked('src/a.ts'),
      assistant('I looked at the figures.'),
    );
    for (const rule of rules) expect(texts(standing)).toContain(rule);
  });

  it('has its rules in their list, and what it only tells elsewhere', () => {
    const { standing = [] } = digest(
      user(
        'The portal is slow since Monday, please find out why. Ground rules: no new packages. Amounts are whole cents. Keep files under 200 lines.\n\nThe branch in Bonn noticed it first.',
      ),
      ...worked('src/a.ts'),
      assistant('The index on the date was missing.'),
    );
    for (const rule of ['no new packages', 'Amounts are whole cents', 'Keep files under 200 lines'])
      expect(texts(standing)).toContain(rule);
    expect(texts(standing)).not.toContain('Bonn');
    expect(texts(standing)).not.toContain('slow since Monday');
  });
});
