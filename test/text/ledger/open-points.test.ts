import { describe, expect, it } from 'vitest';
import { findTodos } from '../../../src/text/ledger/find-todos.ts';

const open = (text: string) => findTodos(text).map((found) => found.text);

describe('open points under their name', () => {
  it.each([
    'Todo:',
    'To do:',
    'Open:',
    '**Still open:**',
    'Noch offen:',
    'À faire :',
    'Pendiente:',
    'Pendente:',
    'Da fare:',
    '待办：',
    '未完了：',
    '할 일:',
    'Осталось:',
  ])('are found after %s, in the line and in the list below it', (label) => {
    expect(open(`So far so good.\n${label} the tests of the limiter`)).toEqual(['the tests of the limiter']);
    expect(open(`${label}\n- the tests\n- the docs\n\nBye`)).toEqual(['the tests', 'the docs']);
  });

  it('are not taken from sentences that use the word', () => {
    expect(
      open('I open the file: it is empty.\nThe open question was answered.\nOpen the door: now'),
    ).toEqual([]);
  });

  it.each(['None', 'none.', '- None', 'nothing left', 'keine', 'rien', 'なし', '没有', '0', 'нет'])(
    'are none where the list says %s',
    (nothing) => {
      expect(open(`Pending: ${nothing}`)).toEqual([]);
      expect(open(`**Pending:**\n- ${nothing}`)).toEqual([]);
    },
  );
});
