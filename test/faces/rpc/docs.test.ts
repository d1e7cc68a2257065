import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { METHODS, NOTIFICATIONS } from '../../../src/faces/rpc/index.ts';
import { renderDocs } from './render-docs.ts';

const PAGE = 'docs/rpc.md';
const START = '## Methods\n';

/** `UPDATE_DOCS=1 npx vitest run test/faces/rpc/docs.test.ts` puts the schemas of today into the page. */
if (process.env.UPDATE_DOCS === '1') {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, `${page.slice(0, page.indexOf(START))}${renderDocs()}\n`);
}

describe(PAGE, () => {
  const page = readFileSync(PAGE, 'utf8');

  it('has every method and notification as the schemas have them', () => {
    expect(page.slice(page.indexOf(START)).trimEnd()).toBe(renderDocs().trimEnd());
  });

  it('says of each what it is for', () => {
    for (const { summary } of [...Object.values(METHODS), ...Object.values(NOTIFICATIONS)])
      expect(summary).toMatch(/^[A-Z].*[.]$/s);
  });
});
