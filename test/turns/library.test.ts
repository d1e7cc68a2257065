import { describe } from 'vitest';
import { itHolds } from './it-holds.ts';
import { startLibrary } from './over-library.ts';

describe.concurrent('a turn in a program with the library', () => {
  itHolds(startLibrary, { ways: ['continue', 'retry'] });
});
