import { expect, it } from 'vitest';
import { sayFit } from '../../src/text/index.ts';

const turns = { what: 'turns', entries: 3, tokens: 27_312, reason: 'left out to fit' };

it('lists the steps that made a context fit, and its gaps', () => {
  expect(sayFit({ steps: ['stub-outputs', 'leave-out-turns'], leftOut: [turns] })).toEqual([
    'To fit: old tool outputs are references, old turns are left out.',
    'Left out: 3 messages of old turns, 27K tokens: left out to fit.',
  ]);
});

it('says nothing of a context that fits as it is', () => {
  expect(sayFit({ steps: [], leftOut: [] })).toEqual([]);
});

it('keeps a step that it does not know', () => {
  expect(sayFit({ steps: ['sorted'], leftOut: [] })).toEqual(['To fit: sorted.']);
});
