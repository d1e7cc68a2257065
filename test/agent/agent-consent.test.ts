import { appendFileSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { giveConsent, readConsent } from '../../src/agent/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'throughline-consent-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string) => {
  writeFileSync(path.join(folder, name), '');
  return path.join(folder, name);
};
const list = () => ({ list: path.join(folder, 'kept', 'agents.jsonl') });

it('is given for one file, whichever way it is reached, and for no other', async () => {
  const [sally, evil] = [file('sally.mjs'), file('evil.mjs')];
  expect(await readConsent(sally, list())).toBe('not given');
  await giveConsent(sally, list());
  await giveConsent(sally, list());
  symlinkSync(sally, path.join(folder, 'link.mjs'));
  expect(await readConsent(sally, list())).toBe('given');
  expect(await readConsent('link.mjs', { ...list(), cwd: folder })).toBe('given');
  expect(await readConsent(evil, list())).toBe('not given');
  expect(await readConsent(`${folder}/none.mjs`, list())).toBe('no such file');
  expect(statSync(list().list).mode & 0o777).toBe(0o600);
});

it('to a link is consent to what it led to, and not to where it leads later', async () => {
  const link = path.join(folder, 'link.mjs');
  symlinkSync(file('sally.mjs'), link);
  await giveConsent(link, list());
  rmSync(link);
  symlinkSync(file('evil.mjs'), link);
  expect(await readConsent(link, list())).toBe('not given');
});

it('holds for names with line breaks, and after a line that was cut short', async () => {
  const odd = file('a\nb.mjs');
  const sally = file('sally.mjs');
  await giveConsent(odd, list());
  appendFileSync(list().list, `"${folder}/sal`);
  await giveConsent(sally, list());
  expect(await readConsent(odd, list())).toBe('given');
  expect(await readConsent(sally, list())).toBe('given');
});

it('that cannot be written down is no consent the next time', async () => {
  const sally = file('sally.mjs');
  const options = { list: path.join(sally, 'agents.jsonl') };
  await giveConsent(sally, options);
  expect(await readConsent(sally, options)).toBe('not given');
});
