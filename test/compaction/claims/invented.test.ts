import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markUnknown } from '../../../src/compaction/claims/mark-unknown.ts';
import { withoutInventions } from '../../../src/compaction/claims/without-inventions.ts';
import { type Entry, emptySummary } from '../../../src/record/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';

// A session is made from words of one list, what is invented from words of another: nothing of it can stand in the session.

const SAID = ['lease', 'queue', 'parser', 'invoice', 'router', 'header', 'index', 'socket'] as const;
const NEVER = ['quartz', 'violet', 'harbor', 'meadow', 'falcon', 'anchor'] as const;
const PEOPLE = ['Roberta', 'Kwame', 'Ingrid', 'Svetlana', 'Desmond'] as const;
const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);

const turn = fc.record({
  thing: fc.constantFrom(...SAID),
  other: fc.constantFrom(...SAID),
  figure: fc.integer({ min: 21, max: 999 }),
  folder: fc.constantFrom(...SAID),
});
type Turn = typeof turn extends fc.Arbitrary<infer One> ? One : never;

function sessionOf(turns: readonly Turn[]): Entry[] {
  return logOf(
    ...turns.flatMap(({ thing, other, figure, folder }, at) => [
      user(`Please look at the ${thing} and the ${other}: its limit should be ${figure} seconds.`),
      toolCall('Edit', { file_path: `src/${folder}/${thing}.ts` }, { id: `${at}` }),
      toolResult('Edit', 'ok', { id: `${at}` }),
      assistant(`The limit of the ${thing} is ${figure} seconds now, and the ${other} stays as it is.`),
    ]),
  );
}

/** Lines that tell of a turn in words near its own. */
function trueLines({ thing, other, figure, folder }: Turn): string[] {
  return [
    `The limit of the ${thing} is ${figure} seconds.`,
    `The ${other} stays as it is, the ${thing} has a limit of ${figure} seconds.`,
    `src/${folder}/${thing}.ts was edited.`,
    `The user asked to look at the ${thing} and the ${other}.`,
    `The agent said "the ${other} stays as it is".`,
  ];
}

const invented = fc
  .record({
    word: fc.constantFrom(...NEVER),
    second: fc.constantFrom(...NEVER),
    thing: fc.constantFrom(...SAID),
    person: fc.constantFrom(...PEOPLE),
    figure: fc.integer({ min: 1_000, max: 99_999 }),
    small: fc.integer({ min: 2, max: 19 }),
  })
  .map(({ word, second, thing, person, figure, small }) => ({
    figure: `The limit of the ${thing} is ${figure} seconds.`,
    measure: `The ${thing} is looked at every ${small} minutes.`,
    version: `The ${thing} needs version ${small}.${figure}.${small}.`,
    decimal: `The limit of the ${thing} is ${small}.${figure} now.`,
    path: `The limit is in src/${word}/${second}.ts.`,
    folder: `The limit is in lib/${word}/${second} now.`,
    settings: `The limit is in .env.${word} now.`,
    name: `The limit of the ${thing} is in ${word}${capital(second)} now.`,
    call: `The ${thing} is edited by ${word}() now.`,
    option: `The ${thing} has --${word}-${second} now.`,
    person: `${person} will look at the ${thing}.`,
    within: `The limit of the ${thing} stays as ${person} said.`,
    quote: `The agent said 'the ${thing} is ${word} as it stays'.`,
    quoteOfSigns: `「${thing}は金曜日に出荷しないでください」`,
    approval: `The user agreed to delete the ${thing} of the ${word}.`,
    outcome: `The tests of the ${thing} were run and passed.`,
    deployment: `The ${thing} was deployed to all seconds.`,
    merge: `The ${thing} branch was merged into main.`,
  }));

const KINDS = Object.keys(fc.sample(invented, 1)[0]!) as (keyof (typeof invented extends fc.Arbitrary<
  infer One
>
  ? One
  : never))[];

function judge(lines: readonly string[], entries: readonly Entry[]): string[] {
  const facts = lines.map((text) => ({ text, from: [] }));
  const summary = { ...emptySummary('The limit of the queue and the parser is set.'), facts };
  const believed = withoutInventions(summary, { entries });
  return markUnknown(believed, { entries }).facts.map(({ text }) => text);
}

const turns = fc.array(turn, { minLength: 2, maxLength: 8 });

it.each(KINDS)('a line that invents a %s is not believed', (kind) => {
  fc.assert(
    fc.property(turns, invented, (talk, made) => {
      const line = made[kind];
      expect(judge([...talk.flatMap(trueLines), line], sessionOf(talk))).not.toContain(line);
    }),
    { numRuns: 40 },
  );
});

it('a line about real messages and work stays as it is', () => {
  fc.assert(
    fc.property(turns, (talk) => {
      const lines = talk.flatMap(trueLines);
      expect(judge(lines, sessionOf(talk))).toEqual(lines);
    }),
    { numRuns: 100 },
  );
});
