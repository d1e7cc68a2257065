import { describe, expect, it } from 'vitest';
import { disagree } from '../../src/branches/disagree.ts';
import { sayTheSame } from '../../src/summary/index.ts';

describe('two lines', () => {
  it.each([
    ['Use Redis for sessions', 'Use Postgres for sessions', true],
    ['Rate limit of 100 per minute', 'Rate limit of 200 per minute', true],
    ['Port is 8080', 'Port is 9090', true],
    [
      'We decided to use a map in memory for the cache.',
      'We decided to use files on disk for the cache.',
      true,
    ],
    ['Use Redis for sessions', 'use Redis for the sessions.', false],
    ['Use JWT tokens for auth', 'Use Redis for sessions', false],
    ['Deploy on Fridays', 'The docs are in docs/cache.md', false],
    ['8080', '9090', false],
  ])('"%s" and "%s": saying different things of one thing is %s', (a, b, clash) => {
    expect(disagree(a, b)).toBe(clash);
    expect(disagree(b, a)).toBe(clash);
  });

  it.each([
    ['Use Redis', 'use redis.', true],
    ['Use  Redis\n', 'Use Redis', true],
    ['Use C#', 'Use C', false],
    ['-5 °C', '5 °C', false],
    ['!', '.', false],
    ['Use Redis', 'Use Redis for sessions', false],
  ])('"%s" and "%s": being the same but for case, spaces and the end is %s', (a, b, same) => {
    expect(sayTheSame(a, b)).toBe(same);
  });
});
