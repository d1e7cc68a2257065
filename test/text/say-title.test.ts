import { expect, it } from 'vitest';
import { sayTitle } from '../../src/text/index.ts';

it.each([
  ['Refactor auth', undefined, 'Refactor auth'],
  [' two\n lines\t', undefined, 'two lines'],
  ['', undefined, '(untitled)'],
  [' \n', undefined, '(untitled)'],
  ['', 'simple_sally', 'simple_sally'],
])('says the title %j as %j', (title, otherwise, said) => expect(sayTitle(title, otherwise)).toBe(said));
