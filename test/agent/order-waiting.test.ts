import { expect, it } from 'vitest';
import { orderWaiting } from '../../src/agent/index.ts';
import { newEntryId } from '../../src/record/index.ts';

const cut = newEntryId();
const [first, second, other] = [newEntryId(), newEntryId(), newEntryId()];
const [one, two] = [
  { id: first, parts: 'One' },
  { id: second, parts: 'Two' },
];
const left = { waiting: [one, two], unfinished: { id: cut } as never };

it.each([
  ['a new message', 'Three', { before: [one, two], after: [] }],
  ['a message of another id', { id: other, parts: 'Three' }, { before: [one, two], after: [] }],
  ['one that waits', { id: second, parts: 'Two' }, { before: [one], after: [] }],
  ['the first that waits', { id: first, parts: 'One' }, { before: [], after: [two] }],
  ['the turn that was cut', { id: cut, parts: 'Zero' }, { before: [], after: [one, two] }],
])('gives %s its place among the messages that wait', (_, input, place) => {
  expect(orderWaiting(left, input)).toMatchObject(place);
});
