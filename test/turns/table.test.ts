import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { printTable } from './table.ts';

const PAGE = 'docs/runs.md';
const START = '<!-- printed by test/turns/table.ts -->\n';
const END = '<!-- end -->';

/** `UPDATE_DOCS=1 npx vitest run test/turns/table.test.ts` puts the table of today into the page. */
it(`${PAGE} has the table of turns as the faces are tested by it`, () => {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(START) + START.length, page.indexOf(END)];
  if (process.env.UPDATE_DOCS === '1')
    writeFileSync(PAGE, `${page.slice(0, from)}${printTable()}${page.slice(to)}`);
  else expect(page.slice(from, to)).toBe(printTable());
});
