import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EMPTY_STATE,
  type EntryBody,
  equalJson,
  foldEntry,
  forkState,
  placeOf,
  SessionState,
  storedPlaceOf,
  titleOf,
} from '../../src/record/index.ts';
import {
  assistant,
  compaction,
  foreign,
  logOf,
  mark,
  setting,
  system,
  user,
} from '../../src/testing/index.ts';
import { anyBody } from './arbitraries.ts';

function stateOf(...bodies: readonly EntryBody[]): SessionState {
  return logOf(...bodies).reduce(foldEntry, EMPTY_STATE);
}

describe('the title', () => {
  const byUser = setting('title', 'by user', 'user');
  const byHost = setting('title', 'by host', 'host');
  const automatic = setting('title', 'automatic', 'auto');
  const cleared = setting('title', null, 'user');

  it.each([
    {
      said: [user('first'), user('second')],
      title: 'first',
      why: 'the first question names an untitled session',
    },
    {
      said: [user('<ide_opened_file>The user opened a.ts</ide_opened_file>\n\nfirst')],
      title: 'first',
      why: 'what a program put in front of it is not the question',
    },
    {
      said: [
        user([
          { type: 'text', text: '<ide_selection>\nlines</ide_selection>' },
          { type: 'text', text: 'first' },
        ]),
      ],
      title: 'first',
      why: 'nor in a part of its own',
    },
    {
      said: [user('<command-message>pr</command-message>\n<command-name>/pr</command-name>')],
      title: '/pr',
      why: 'a command is called as it was typed',
    },
    {
      said: [user('<command-name>/review</command-name>\n <command-args>the cart</command-args>')],
      title: '/review the cart',
      why: 'with what was typed behind it',
    },
    {
      said: [user('<system-reminder>Be brief.</system-reminder>')],
      title: 'Be brief.',
      why: 'a program is better than nobody',
    },
    { said: [user('<my-button> is gone')], title: '<my-button> is gone', why: 'people write tags too' },
    { said: [user('<div>why?</div>')], title: '<div>why?</div>', why: 'and HTML' },
    { said: [system('s'), assistant('hello'), user('first')], title: 'first', why: 'only questions do' },
    { said: [user('first'), automatic], title: 'automatic', why: 'a title is better than a question' },
    { said: [automatic, byHost], title: 'by host', why: 'hosts and automatic titles take turns' },
    { said: [byHost, automatic], title: 'automatic', why: 'hosts and automatic titles take turns' },
    { said: [byUser, automatic, byHost], title: 'by user', why: 'nobody changes what a user set' },
    { said: [automatic, byUser], title: 'by user', why: 'a user may' },
    {
      said: [byUser, setting('title', 'again', 'user')],
      title: 'again',
      why: 'a user may change their mind',
    },
    {
      said: [user('first'), byUser, cleared],
      title: 'first',
      why: 'a cleared title gives way to the question',
    },
    { said: [byUser, cleared, automatic], title: 'automatic', why: 'a cleared title is nobody’s' },
    { said: [byUser, setting('title', null, 'auto')], title: 'by user', why: 'nobody else clears it either' },
    { said: [user('first'), setting('title', '')], title: 'first', why: 'an empty title is none' },
    { said: [user('first'), setting('title', 7)], title: 'first', why: 'a title is text' },
    { said: [], title: '', why: 'nothing was said' },
  ])('is "$title", because $why', ({ said, title }) => {
    expect(titleOf(stateOf(...said))).toBe(title);
  });

  it.each([
    { text: '\n\n  \t Where?\nThere.', title: 'Where?', why: 'it is the first line that says something' },
    { text: 'x'.repeat(80), title: 'x'.repeat(80), why: 'eighty characters fit' },
    { text: 'x'.repeat(81), title: `${'x'.repeat(79)}…`, why: 'eighty-one do not' },
    { text: '😀'.repeat(81), title: `${'😀'.repeat(79)}…`, why: 'no emoji is cut in half' },
    { text: `${' '.repeat(1999)}😀`, title: '😀', why: 'however late it says something' },
    { text: '   ', title: '', why: 'blanks say nothing' },
  ])('of a question is cut well: $why', ({ text, title }) => {
    expect(titleOf(stateOf(user(text)))).toBe(title);
  });

  it('comes from the first text of a question that begins with a picture', () => {
    const parts = [
      { type: 'file', data: 'x' },
      { type: 'text', text: 'What is this?' },
    ];
    expect(titleOf(stateOf(user(parts)))).toBe('What is this?');
  });

  it('comes from the preview of a question that was set aside', () => {
    const text = { $blob: '0'.repeat(64), as: 'text', bytes: 99, preview: 'A long question' };
    expect(titleOf(stateOf(user([{ type: 'text', text }])))).toBe('A long question');
  });
});

describe('tags', () => {
  it.each([
    { said: ['+a', '+b', '+a'], tags: ['a', 'b'], why: 'one tag is one tag' },
    { said: ['+a', '+b', '-a'], tags: ['b'], why: 'a tag can be taken away' },
    { said: ['+a', '-a', '+b', '+a'], tags: ['b', 'a'], why: 'and be given again' },
    { said: ['-a'], tags: [], why: 'what is not there cannot be taken' },
    { said: ['+'], tags: [], why: 'nothing is no tag' },
    { said: ['+a', '+A'], tags: ['a', 'A'], why: 'case matters' },
  ])('$said: $why', ({ said, tags }) => {
    const bodies = said.map((tag) => setting(tag[0] === '+' ? 'tag' : 'untag', tag.slice(1)));
    expect(stateOf(...bodies).tags).toEqual(tags);
  });
});

describe('the place', () => {
  const archived = (value: boolean) => setting('archived', value);
  const trashed = (value: boolean) => setting('trashed', value);

  it.each([
    { said: [], place: 'active' },
    { said: [archived(true)], place: 'archived' },
    { said: [archived(true), archived(false)], place: 'active' },
    { said: [archived(true), trashed(true)], place: 'trashed' },
    { said: [archived(true), trashed(true), trashed(false)], place: 'archived' },
    { said: [trashed(true), archived(true)], place: 'trashed' },
    { said: [setting('archived', 'yes')], place: 'active' },
  ])('is $place', ({ said, place }) => {
    expect(placeOf(stateOf(...said))).toBe(place);
  });

  it.each([
    { said: [setting('reserved', 'memory')], place: 'memory' },
    { said: [setting('reserved', 'memory'), archived(true)], place: 'memory' },
    { said: [setting('reserved', 'memory'), trashed(true)], place: 'trashed' },
    { said: [setting('reserved', 'something else')], place: 'active' },
  ])('is listed under $place when it is reserved', ({ said, place }) => {
    expect(storedPlaceOf(stateOf(...said))).toBe(place);
    expect(storedPlaceOf(forkState(stateOf(...said)))).toBe('active');
  });

  it('of a fork is always the active one, and nothing else changes', () => {
    const state = stateOf(user('a'), setting('tag', 'x'), archived(true), trashed(true));
    const { trashedAt: _, ...rest } = state;
    expect(forkState(state)).toEqual({ ...rest, archived: false });
  });
});

describe('marks', () => {
  const one = { from: 1, to: 1 };
  const two = { from: 1, to: 2 };
  const entry = { entry: '0199f3a0-0000-7000-8000-000000000000' };

  it.each([
    { list: 'pinned', on: 'pinned', off: 'unpinned' },
    { list: 'excluded', on: 'excluded', off: 'included' },
    { list: 'expanded', on: 'expanded', off: 'collapsed' },
  ] as const)('$on and $off undo each other, also in part', ({ list, on, off }) => {
    const state = stateOf(mark(on, one), mark(on, entry), mark(on, two), mark(on, one), mark(off, two));
    expect(state[list]).toEqual([entry]);
    expect(stateOf(mark(on, two), mark(off, one))[list]).toEqual([{ from: 2, to: 2 }]);
    expect(stateOf(mark(off, one))[list]).toEqual([]);
  });

  it('removed stays', () => {
    expect(stateOf(mark('removed', one), mark('removed', one)).removed).toEqual([one]);
  });
});

describe('roots', () => {
  const covering = (from: number, to: number, level = 1) => compaction({ covers: { from, to }, level });

  it.each([
    { said: [covering(1, 4), covering(5, 8)], roots: ['1-4', '5-8'], why: 'side by side both stand' },
    {
      said: [covering(5, 8), covering(1, 4)],
      roots: ['1-4', '5-8'],
      why: 'they stand in the order of their ranges',
    },
    {
      said: [covering(1, 4), covering(5, 8), covering(1, 8, 2)],
      roots: ['1-8'],
      why: 'a merge covers its children',
    },
    { said: [covering(1, 4), covering(1, 4)], roots: ['1-4'], why: 'the same range again replaces' },
    { said: [covering(1, 8, 2), covering(3, 4)], roots: ['1-8', '3-4'], why: 'a smaller one does not' },
    { said: [covering(1, 4), covering(3, 8)], roots: ['1-4', '3-8'], why: 'an overlap covers neither' },
  ])('are $roots: $why', ({ said, roots }) => {
    expect(stateOf(...said).roots.map(({ from, to }) => `${from}-${to}`)).toEqual(roots);
  });
});

describe('the fold', () => {
  it('returns the same object for entries that say nothing about the session', () => {
    const state = stateOf(user('a'));
    for (const body of [user('b'), assistant('c'), foreign('hologram'), setting('untag', 'x')]) {
      expect(foldEntry(state, logOf(body)[0]!)).toBe(state);
    }
  });

  it('never changes the state it was given, and always gives a valid one that survives JSON', () => {
    fc.assert(
      fc.property(fc.array(anyBody), (bodies) => {
        let state = EMPTY_STATE;
        for (const entry of logOf(...bodies)) {
          const before = JSON.stringify(state);
          const next = foldEntry(state, entry);
          expect(JSON.stringify(state)).toBe(before);
          state = next;
        }
        expect(SessionState.safeParse(state).success).toBe(true);
        expect(equalJson(JSON.parse(JSON.stringify(state)), state)).toBe(true);
      }),
    );
  });
});
