import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveSessionId, isSessionId, newSessionId, SessionId } from '../../src/record/index.ts';
import { anyText } from './arbitraries.ts';

const noon = new Date(2025, 11, 30, 11, 21, 53).getTime();

describe('a session id', () => {
  it.each([
    'simple_sally_20251230_112153',
    'a',
    'A-b.c_d',
    '9',
    'console',
    'com10',
    'nulled.txt',
    'v1.2',
    'ends-',
    'x'.repeat(128),
  ])('may be %j', (id) => {
    expect(isSessionId(id)).toBe(true);
    expect(SessionId.safeParse(id).success).toBe(true);
  });

  it.each([
    { id: '', why: 'it is empty' },
    { id: '.', why: 'it is this folder' },
    { id: '..', why: 'it is the folder above' },
    { id: '../a', why: 'it climbs' },
    { id: 'a..b', why: 'two dots climb somewhere' },
    { id: 'a/b', why: 'it is a path' },
    { id: 'a\\b', why: 'it is a path on Windows' },
    { id: 'C:a', why: 'it is a drive on Windows' },
    { id: '/etc', why: 'it is an absolute path' },
    { id: '.hidden', why: 'it would be hidden' },
    { id: '-rf', why: 'it looks like an option' },
    { id: 'a.', why: 'Windows drops a dot at the end' },
    { id: 'a ', why: 'Windows drops a space at the end' },
    { id: 'CON', why: 'Windows keeps it for itself' },
    { id: 'con.txt', why: 'Windows keeps it for itself, with any ending' },
    { id: 'Lpt1', why: 'Windows keeps it for itself, in any case' },
    { id: 'aux.a.b', why: 'Windows keeps it for itself, with two endings' },
    { id: 'a\0b', why: 'a NUL ends a path' },
    { id: 'a\n', why: 'it breaks a line' },
    { id: 'é', why: 'it has two normal forms' },
    { id: '日本', why: 'not every system can type it' },
    { id: 'a%2fb', why: 'it looks escaped' },
    { id: '~', why: 'it is somebody at home' },
    { id: 'x'.repeat(129), why: 'it is too long' },
  ])('is not $id, because $why', ({ id }) => {
    expect(isSessionId(id)).toBe(false);
    expect(SessionId.safeParse(id).success).toBe(false);
  });
});

describe('a new session id', () => {
  it('says who and when, in local time', () => {
    expect(newSessionId({ agent: 'Simple Sally', now: noon })).toBe('simple_sally_20251230_112153');
  });

  it.each([
    { agent: 'Zoë Müller', slug: 'zoe_muller', why: 'accents go' },
    { agent: 'ﬁne', slug: 'fine', why: 'ligatures come apart' },
    { agent: '日本語', slug: 'session', why: 'no letter is left' },
    { agent: '', slug: 'session', why: 'there is none' },
    { agent: '../../etc/passwd', slug: 'etc_passwd', why: 'a path is only letters' },
    { agent: 'NUL', slug: 'session', why: 'Windows keeps it for itself' },
    { agent: 'a'.repeat(200), slug: 'a'.repeat(64), why: 'it is cut' },
    { agent: '\ud800 Sally \0', slug: 'sally', why: 'damaged letters go' },
  ])('begins with $slug for $agent, because $why', ({ agent, slug }) => {
    expect(newSessionId({ agent, now: noon })).toBe(`${slug}_20251230_112153`);
  });

  it('is valid whatever the agent is called, with a code in front too', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 9999 }), (agent, attempt) => {
        const id = newSessionId({ agent, now: noon });
        expect(isSessionId(id)).toBe(true);
        const derived = deriveSessionId(id, attempt);
        expect(isSessionId(derived)).toBe(true);
        expect(derived.startsWith(id) || id.startsWith(derived)).toBe(false);
      }),
    );
  });
});
