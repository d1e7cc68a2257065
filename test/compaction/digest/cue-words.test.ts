import { describe, expect, it } from 'vitest';
import { CHOICE_WORDS } from '../../../src/text/language/choice-words.ts';
import { cuesFor, REMINDS } from '../../../src/text/language/cues.ts';
import { OUTCOME_WORDS } from '../../../src/text/language/outcome-words.ts';
import { REPORT_WORDS } from '../../../src/text/language/report-words.ts';

const WORDS = Object.entries({ ...CHOICE_WORDS, ...REPORT_WORDS, ...OUTCOME_WORDS });

describe('cues', () => {
  it.each(WORDS)('are looked for in small letters: %s', (_, words) => {
    const plain = Object.values(words).map((list) => String(list).replace(/\\[pP]\{[^}]*\}|\\.|A-Z/g, ''));
    expect(plain.filter((list) => /\p{Lu}/u.test(list))).toEqual([]);
  });

  it('are heard in capitals, and between letters of no script', () => {
    const cues = cuesFor([
      'we must keep it as it is',
      'das darf nicht sein, und wir sind nicht fertig, aber bald',
    ]);
    expect(cues.strict.test('You MUST keep it.')).toBe(true);
    expect(cues.strict.test('Das DÜRFEN wir nicht.')).toBe(true);
    expect(cues.strict.test('это Нельзя трогать')).toBe(true);
    expect(cues.strict.test('必须保留')).toBe(true);
    expect(cues.strict.test('the mustard is out')).toBe(false);
    expect(cues.strict.test('éverymustß')).toBe(false);
  });

  it.each([
    ['Remind me to call the printer.', true],
    ['Please remind me of the call.', true],
    ['Could you remind us of the date?', true],
    ['And then remind me of it.', true],
    ['They remind me of home.', false],
    ['These pictures from last year remind us of the coast.', false],
    ['You remind me of my brother.', false],
  ])('hear that a reminder is asked for, and not that a thing brings another to mind: %s', (text, asked) => {
    const cues = cuesFor(['please keep it as it is']);
    expect([REMINDS.test(text), cues.leavesOpen.test(text) && cues.promises.test(text)]).toEqual([
      asked,
      asked,
    ]);
  });
});
