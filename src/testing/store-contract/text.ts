import { deepEqual, equal } from 'node:assert/strict';
import { type EntryBody, titleOf } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { assistant, conversation, toolCall, toolResult, user } from '../messages.ts';
import { compaction, foreign, setting, summaryOf } from '../notes.ts';
import { promise } from './promise.ts';

/** Texts that other stores have choked on, and what each of them is. */
const HARD: Readonly<Record<string, string>> = {
  'a lone high surrogate': 'a\ud800b',
  'a lone low surrogate': 'a\udc00b',
  'half an emoji at the end': 'smile \ud83d',
  'surrogates the wrong way round': '\ude00\ud83d',
  'a NUL': 'a\0b',
  'nothing but a NUL': '\0',
  'emoji that are made of several': '👩‍👩‍👧‍👦🏳️‍🌈',
  'two normal forms of one word': 'cafe\u0301 café',
  'line and paragraph separators': 'a\u2028b\u2029c\r\nd\re',
  'a byte order mark': '\ufeffa\ufffe\uffff',
  'right-to-left overrides': '\u202eabc\u202c',
  'what looks like an escape': '\\ud800 \\u0000 \\\\ \\"',
  'nothing at all': '',
};

async function comesBack(store: Store, id: string, bodies: readonly EntryBody[]): Promise<void> {
  await store.create({ id }, conversation(...bodies));
  deepEqual(
    (await store.read(id)).map(({ body }) => body),
    bodies,
  );
}

export const textPromises = [
  ...Object.entries(HARD).map(([what, text]) =>
    promise(`gives back ${what}, code unit by code unit, wherever it stands`, async ({ store }) => {
      await comesBack(store, 's', [
        user(text),
        assistant(text, { reasoning: text, model: text, meta: { [text]: text } }),
        toolCall('say', { [text]: [text] }),
        toolResult('say', text),
        setting('note', text),
        foreign('hologram', { [`_${text}`]: text }),
        compaction({ covers: { from: 1, to: 2 }, summary: summaryOf(text) }),
      ]);
      equal((await store.session('s'))?.state.settings.note, text);
      deepEqual((await store.verify()).problems, []);
    }),
  ),

  promise('takes titles and tags with such texts, and goes on working', async ({ store }) => {
    for (const [index, text] of Object.values(HARD).entries()) {
      const id = `s${index}`;
      await store.create(
        { id },
        conversation(user(text), setting('title', `t ${text}`), setting('tag', `t${text}`)),
      );
      const { state } = (await store.session(id))!;
      deepEqual([titleOf(state), state.tags], [`t ${text}`, [`t${text}`]]);
      await store.append(id, [{ body: assistant('still here') }]);
    }
    deepEqual((await store.rebuild()).changed, []);
  }),

  promise('finds a title with such a text by that text', async ({ store }) => {
    await store.create({ id: 's' }, conversation(setting('title', 'half \ud83d a smile \0 here')));
    deepEqual(
      (await store.find('HALF \ud83d a smile \0 here', { limit: 5 })).map(({ id }) => id),
      ['s'],
    );
  }),

  promise('keeps keys that mean something to JavaScript', async ({ store }) => {
    const odd = JSON.parse(
      '{"__proto__":{"a":1},"constructor":"x","toString":null,"hasOwnProperty":[],"":0,"1":1}',
    );
    const bodies = [user([{ type: 'data', odd }]), foreign('hologram', { odd }), setting('odd', odd)];
    await comesBack(store, 's', bodies);
    await comesBack(store, 't', [setting('__proto__', 'x'), setting('constructor', 'y')]);
    const { settings } = (await store.session('t'))!.state;
    deepEqual(Object.entries(settings), [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  }),

  promise('keeps numbers exactly', async ({ store }) => {
    const numbers = [
      0,
      1,
      -1,
      0.1,
      1e21,
      1e-7,
      2 ** 53,
      2 ** 53 - 1,
      -(2 ** 63),
      Number.MAX_VALUE,
      Number.MIN_VALUE,
    ];
    await comesBack(store, 's', [user([{ type: 'data', numbers }]), setting('numbers', numbers)]);
  }),
];
