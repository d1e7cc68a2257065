import { expect, it } from 'vitest';
import { keepLasting } from '../../src/compaction/keep-lasting.ts';
import { type EntryBody, emptySummary } from '../../src/record/index.ts';
import { assistant, logOf, restoration, user } from '../../src/testing/index.ts';

const forgetful = emptySummary('They talked about rivers.');
const RIVERS = ['Rhine', 'Elbe', 'Loire', 'Tagus', 'Volga', 'Danube', 'Po', 'Ebro', 'Oder', 'Tiber'];
const smallTalk = RIVERS.flatMap((river) => [
  user(`My aunt told me about the ${river} again, where she learnt to swim.`),
  assistant('How lovely, what a day that was.'),
]);

function dropped(...talk: EntryBody[]): string[] {
  const { dropped = [] } = keepLasting(forgetful, { entries: logOf(...talk), maxTokens: 300 });
  return dropped.map(({ text }) => text);
}

it('rejected options are in a summary by a model that left them out', () => {
  const against = 'We decided against supporting Windows 8.';
  expect(dropped(...smallTalk, user(against), assistant('Makes sense.'), ...smallTalk)).toEqual([against]);
});

it('what an older summary says was dropped is in the next one', () => {
  const older = { ...emptySummary('The parser.'), dropped: [{ text: 'A table of states.', from: [] }] };
  expect(
    dropped(restoration('before', older), user('Go on with the parser.'), assistant('It reads lists now.')),
  ).toEqual(['A table of states.']);
});

it('a decision that stands in a list is not in the ledger as well', () => {
  const entries = logOf(user('We decided to keep the exporter in Rust. Go on.'), assistant('It goes on.'));
  const ledger = [
    { kind: 'decision', text: 'We decided to keep the exporter in Rust.', entry: entries[0]!.id },
    { kind: 'command', text: 'cargo test', entry: entries[1]!.id },
  ];
  const summary = keepLasting({ ...forgetful, ledger }, { entries, maxTokens: 300 });
  expect(summary.decisions.map(({ text }) => text)).toEqual(['We decided to keep the exporter in Rust.']);
  expect(summary.ledger).toEqual([ledger[1]]);
});
