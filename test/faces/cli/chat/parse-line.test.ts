import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES, parseLine } from '../../../../src/faces/cli/chat/parse-line.ts';

describe('a line of a chat', () => {
  it.each([
    ['compact', 'compact', []],
    ['compact --here', 'compact', ['--here']],
    ['  Exit ', 'exit', []],
    ['quit', 'exit', []],
    ['/quit', 'exit', []],
    ['resume 1', 'resume', ['1']],
    ['resume simple_sally_20251230_112153', 'resume', ['simple_sally_20251230_112153']],
    ['resume ./old/session_2.md', 'resume', ['./old/session_2.md']],
    ['resume sally', 'resume', ['sally']],
    ['/resume my title', 'resume', ['my', 'title']],
    ['sessions', 'sessions', []],
    ['sessions --all', 'sessions', ['--all']],
    ['search limiter', 'search', ['limiter']],
    ['search "rate limiter"', 'search', ['rate limiter']],
    ['/search rate limiter', 'search', ['rate', 'limiter']],
    ['pin 12-15', 'pin', ['12-15']],
    ['pin last', 'pin', ['last']],
    ['fork 7', 'fork', ['7']],
    ['tag urgent', 'tag', ['urgent']],
    ['title "Plan B"', 'title', ['Plan B']],
    ['/title Plan B', 'title', ['Plan', 'B']],
    ['help compact', 'help', ['compact']],
    ['/HELP', 'help', []],
  ])('"%s" is the command %s %j', (line, name, args) => {
    expect(parseLine(line)).toEqual({ kind: 'command', name, args });
  });

  it.each([
    ['compact the table, please'],
    ['help me with the parser'],
    ['exit codes are wrong'],
    ['exit the loop when done'],
    ['resume work on the limiter'],
    ['resume'.concat(' the talk')],
    ['context matters here'],
    ['search for a better name'],
    ['pin the version of node'],
    ['fork the repository'],
    ['title case or sentence case?'],
    ['Compact, or not?'],
    ['export default is bad style'],
    ['exit\nexit'],
    ['/usr/bin/node is broken'],
    ['/ is the root'],
  ])('"%s" is a message: the word is part of a sentence', (line) => {
    expect(parseLine(line)).toMatchObject({ kind: 'message', text: line });
  });

  it('takes a slash and an unknown word for a slip', () => {
    expect(parseLine('/compcat')).toEqual({ kind: 'unknown', name: '/compcat' });
  });

  it('never sends a blank line', () => {
    for (const blank of ['', '  ', '\t', '\n']) expect(parseLine(blank)).toEqual({ kind: 'blank' });
  });

  it('keeps every character of a message', () => {
    const sentence = fc
      .tuple(fc.constantFrom(...COMMAND_NAMES), fc.array(fc.stringMatching(/^[a-z]{2,9}$/), { minLength: 3 }))
      .map(([command, words]) => [command, ...words].join(' '));
    fc.assert(
      fc.property(
        fc.oneof(
          sentence,
          fc.string({ unit: 'binary' }).map((text) => ` x${text} `),
        ),
        (line) => {
          expect(parseLine(line)).toMatchObject({ kind: 'message', text: line });
        },
      ),
    );
  });
});
