import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EMPTY_STATE,
  equalJson,
  foldEntry,
  type GivenSettings,
  isOwnSetting,
  type Json,
  PROJECT_SETTINGS,
  packState,
  projectSettings,
  SETTING_FAMILIES,
  SETTINGS,
  settingEntries,
  settingEntry,
  shownSettings,
  unpackState,
} from '../../src/record/index.ts';
import { logOf, setting } from '../../src/testing/index.ts';
import { anyJson, anyText } from './arbitraries.ts';

const DEFINITIONS = { ...SETTINGS, ...SETTING_FAMILIES, ...PROJECT_SETTINGS };
/** Names with a field of their own in the state. */
const LABELS = ['archived', 'tag', 'title', 'trashed', 'untag'];

const ownName = fc.oneof(
  fc.constantFrom(...Object.keys(SETTINGS).filter((name) => !LABELS.includes(name))),
  fc.tuple(fc.constantFrom(...Object.keys(SETTING_FAMILIES)), anyText).map(([prefix, rest]) => prefix + rest),
);
const odd = fc.constantFrom('__proto__', 'constructor', 'toString', 'Model', 'model ', 'folder', 'name');
const hostName = fc.oneof(odd, anyText).filter((name) => name !== '' && !isOwnSetting(name));
const anySetting = fc.tuple(fc.oneof(ownName, hostName), anyJson as fc.Arbitrary<Json>);

function fold(changes: readonly (readonly [string, Json])[]) {
  return logOf(...changes.map(([name, value]) => setting(name, value))).reduce(foldEntry, EMPTY_STATE);
}

function schemaOf(name: string) {
  const prefix = Object.keys(SETTING_FAMILIES).find((one) => name.startsWith(one)) ?? name;
  return Object.entries(DEFINITIONS).find(([one]) => one === prefix)![1].schema;
}

describe('the settings of a log', () => {
  it('hold what fits its name, set aside what does not, and show both', () => {
    fc.assert(
      fc.property(fc.array(anySetting, { maxLength: 12 }), (changes) => {
        const state = fold(changes);
        const last = new Map(changes);
        const there = [...last].filter(([, value]) => value !== null);
        const fitting = there.filter(
          ([name, value]) => !isOwnSetting(name) || schemaOf(name).safeParse(value).success,
        );
        const aside = there.filter((one) => !fitting.includes(one));
        expect(equalJson(state.settings, Object.fromEntries(fitting))).toBe(true);
        expect(equalJson(state.setAside ?? {}, Object.fromEntries(aside))).toBe(true);
        expect('setAside' in state).toBe(aside.length > 0);
        expect(equalJson(shownSettings(state), Object.fromEntries(there))).toBe(true);
      }),
    );
  });

  it('are one list in a store, as in stores of older versions, and come back as they were', () => {
    fc.assert(
      fc.property(fc.array(anySetting, { maxLength: 12 }), (changes) => {
        const state = fold(changes);
        const stored = JSON.parse(JSON.stringify(packState(state)));
        expect(stored).not.toHaveProperty('setAside');
        expect(equalJson(stored.settings, shownSettings(state))).toBe(true);
        expect(equalJson(unpackState(stored), state)).toBe(true);
      }),
    );
  });

  it('of a project are read in its log, and only those that fit', () => {
    const { settings } = fold([
      ['name', 'shop'],
      ['budget', 'much'],
      ['firstCommit', 7],
    ]);
    expect(projectSettings(settings)).toEqual({ name: 'shop' });
    expect(settings).toMatchObject({ budget: 'much', firstCommit: 7 });
  });

  it('keep their title against a value that is no text', () => {
    expect(
      fold([
        ['title', 'mine'],
        ['title', 5],
        ['title', { text: 'x' }],
      ]).title,
    ).toEqual({ text: 'mine', by: 'user' });
  });
});

describe('a setting that is written', () => {
  it('is refused if its value does not fit its name', () => {
    fc.assert(
      fc.property(anySetting, ([name, value]) => {
        const fits = value === null || !isOwnSetting(name) || schemaOf(name).safeParse(value).success;
        const write = () => settingEntries({ [name]: value } as GivenSettings, { by: 'user' });
        if (fits) expect(write().map(({ body }) => [body.name, body.value])).toEqual([[name, value]]);
        else expect(write).toThrow(expect.objectContaining({ code: 'entry-invalid' }));
      }),
    );
  });

  it('does not compile with the value of another', () => {
    // @ts-expect-error a model is a text
    expect(() => settingEntry('model', 5, { by: 'user' })).toThrow('"model"');
    // @ts-expect-error a budget is a number
    expect(() => settingEntry('budget', 'much', { by: 'user' })).toThrow('"budget"');
    // @ts-expect-error a misspelt name is not one of ours
    expect(() => settingEntry('modell', 5, { by: 'user' })).toThrow('"modell"');
    const { body } = settingEntry('folder:/srv/shop', { linkedAt: 5 }, { by: 'user' });
    expect(body).toEqual({ kind: 'setting', name: 'folder:/srv/shop', value: { linkedAt: 5 }, by: 'user' });
  });
});

describe('the registry', () => {
  it.each(Object.entries(DEFINITIONS))(
    'says of %s in docs/format.md what it is and where it comes from',
    (name, { from, about }) => {
      const shown = name.endsWith(':') ? `${name}…` : name;
      const format = readFileSync('docs/format.md', 'utf8');
      expect(format).toContain(`| \`${shown}\` | ${from.join(', ')} | ${about} |`);
    },
  );

  it('has its names in order', () => {
    for (const names of [SETTINGS, SETTING_FAMILIES, PROJECT_SETTINGS].map(Object.keys)) {
      const own = names.filter((name) => !LABELS.includes(name));
      expect(own).toEqual([...own].sort());
    }
  });
});
