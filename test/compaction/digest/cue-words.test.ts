import { describe, expect, it } from 'vitest';
import { CHOICE_WORDS } from '../../../src/compaction/digest/language/choice-words.ts';
import { cuesFor } from '../../../src/compaction/digest/language/cues.ts';
import { OUTCOME_WORDS } from '../../../src/compaction/digest/language/outcome-words.ts';
import { REPORT_WORDS } from '../../../src/compaction/digest/language/report-words.ts';

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
});
