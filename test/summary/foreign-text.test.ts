import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitForeign } from '../../src/summary/index.ts';
import { countText } from '../../src/tokens/index.ts';

const line = fc
  .array(fc.constantFrom('the', 'queue', 'was', '`rebuilt`', 'twice,', 'über', '日本語', '#12', 'a.ts'), {
    minLength: 1,
    maxLength: 12,
  })
  .map((words) => words.join(' '));
const heading = fc.constantFrom(
  '## Goal',
  '## Key Decisions',
  '### Parser',
  '## Files',
  '**Next Steps:**',
  '',
);
const code = fc.array(line, { maxLength: 4 }).map((lines) => ['```ts', ...lines, '```'].join('\n'));
const item = fc.oneof(
  { weight: 4, arbitrary: line.map((one) => `- ${one}`) },
  { weight: 1, arbitrary: line.map((one) => `    ${one}  `) },
  { weight: 1, arbitrary: heading },
  { weight: 1, arbitrary: code },
);
const text = fc.array(item, { minLength: 1, maxLength: 40 }).map((items) => items.join('\n'));

describe("a text of another program's summary", () => {
  it('is left as it is where it fits, and loses whole lines where it does not', () => {
    fc.assert(
      fc.property(text, fc.double({ min: 0, max: 1.2, noNaN: true }), (given, share) => {
        const room = Math.floor(countText(given) * share);
        const fitted = fitForeign(given, room);
        expect(countText(fitted)).toBeLessThanOrEqual(Math.max(room, 0));
        if (countText(given) <= room) expect(fitted).toBe(given);
        const lines = given.split('\n');
        let at = -1;
        for (const kept of fitted === '' ? [] : fitted.split('\n')) {
          at = lines.indexOf(kept, at + 1);
          expect([kept, at >= 0]).toEqual([kept, true]);
        }
      }),
    );
  });

  const lines = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `   - ${name} ${n} is told in words of its own`);
  const SECTIONS = [
    ['1. Primary Request and Intent:', lines('goal', 5)],
    ['2. Key Technical Concepts:', lines('concept', 5)],
    ['3. Files and Code Sections:', [...lines('file', 5), '     ```go', '     if x {', '     }', '     ```']],
    ['4. Key Decisions:', lines('decision', 5)],
    ['5. All user messages:', lines('message', 5)],
    ['6. Pending Tasks:', lines('task', 5)],
  ] as const;
  const SUMMARY = SECTIONS.map(([title, of]) => [title, ...of].join('\n')).join('\n\n');
  const FIRM = SECTIONS.filter((_, at) => [0, 3, 4, 5].includes(at)).flatMap(([title, of]) => [title, ...of]);

  it('loses code, then files, then how the work went, before anything that was asked, decided or is open', () => {
    const firm = countText(FIRM.join('\n'));
    for (let room = countText(SUMMARY); room >= firm; room -= 3) {
      const fitted = fitForeign(SUMMARY, room).split('\n');
      expect(FIRM.filter((one) => !fitted.includes(one))).toEqual([]);
      const has = (part: string) => fitted.some((one) => one.includes(part));
      expect(has('if x') && !(has('file 0') && has('concept 0'))).toBe(false);
      expect(has('file 4') && !has('concept 0')).toBe(false);
    }
    expect(fitForeign(SUMMARY, firm).split('\n')).toEqual(FIRM);
  });
});
