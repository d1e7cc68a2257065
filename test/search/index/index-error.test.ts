import { describe, expect, it } from 'vitest';
import { toIndexError } from '../../../src/search/index/index-error.ts';

describe('a failure of the file of the search index', () => {
  it.each([
    { what: 'a full disk', error: { errcode: 13 }, code: 'store-full' },
    { what: 'no room for shared memory', error: { errcode: 4874 }, code: 'store-full' },
    { what: 'a full disk, as the system says it', error: { code: 'ENOSPC' }, code: 'store-full' },
    { what: 'other processes', error: { errcode: 5 }, code: 'store-busy' },
    { what: 'a file that is read-only', error: { errcode: 8 }, code: 'store-unwritable' },
    { what: 'a folder of another user', error: { code: 'EACCES' }, code: 'store-unwritable' },
    { what: 'an error of the disk', error: { errcode: 10 }, code: 'store-unwritable' },
    { what: 'damage', error: { errcode: 11 }, code: 'store-damaged' },
    { what: 'another program’s bytes', error: { errcode: 26 }, code: 'store-damaged' },
  ])('from $what is $code and names the file', ({ error, code }) => {
    const cause = Object.assign(new Error('words of the system'), error);
    expect(toIndexError(cause, '/s/store.index.db')).toMatchObject({
      code,
      cause,
      message: expect.stringContaining('The search index /s/store.index.db could not be used: '),
    });
  });

  it('that is none of the file’s passes through', () => {
    const error = new Error('bug');
    expect(toIndexError(error, 'x')).toBe(error);
  });
});
