import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  isOwnSetting,
  PROJECT_SETTING_NAMES,
  SETTING_NAMES,
  SETTING_PREFIXES,
} from '../../src/record/index.ts';

const SOURCES = globSync('src/**/*.ts')
  .filter((file) => !file.startsWith('src/testing/'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** `const UNSENDABLE = 'unsendable'` */
const CONSTANTS = new Map(
  SOURCES.flatMap(({ text }) =>
    [...text.matchAll(/const ([A-Z][A-Z_]+) = '([^']+)'/g)].map(
      ([, name, value]) => [name!, value!] as const,
    ),
  ),
);

/** The names of settings in a source: read by field, taken apart, written by name. */
function namesIn(text: string): string[] {
  const fields = [...text.matchAll(/\bstate\.settings\.(\w+)/g)].map(([, name]) => name!);
  const apart = [...text.matchAll(/\{([^{}]*)\} = (?:\w+\.)*settings;/g)].flatMap(([, names]) =>
    names!
      .split(',')
      .map((name) => name.split(':')[0]!.trim())
      .filter((name) => /^\w+$/.test(name)),
  );
  const written = [...text.matchAll(/kind: 'setting'[^{}]*?\bname: '([^']+)'/g)].map(([, name]) => name!);
  const constants = [...text.matchAll(/(?:settings\[|kind: 'setting'[^{}]*?\bname: )([A-Z][A-Z_]+)\b/g)].map(
    ([, name]) => CONSTANTS.get(name!) ?? name!,
  );
  return [...fields, ...apart, ...written, ...constants];
}

it('lists every name of a setting that the code reads or writes', () => {
  const unlisted = SOURCES.flatMap(({ file, text }) =>
    namesIn(text)
      .filter((name) => !isOwnSetting(name) && !PROJECT_SETTING_NAMES.some((own) => own === name))
      .map((name) => `${file}: ${name}`),
  );
  expect(unlisted).toEqual([]);
});

it('finds the names that the test above relies on', () => {
  const all = new Set(SOURCES.flatMap(({ text }) => namesIn(text)));
  for (const name of ['waiting', 'unsendable', 'systemPrompt', 'work', 'trashed', 'budget', 'reserved'])
    expect(all, name).toContain(name);
});

it('lists each name once, in order', () => {
  for (const names of [SETTING_NAMES, SETTING_PREFIXES, PROJECT_SETTING_NAMES])
    expect([...new Set(names)].sort()).toEqual([...names]);
});
