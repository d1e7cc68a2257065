import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  archiveOriginal,
  listArchive,
  openGitHubBranch,
  restoreOriginal,
  verifyArchive,
} from '../../../src/archive/index.ts';
import { branchContract, file } from '../branch-contract.ts';
import { type FakeGitHub, startGitHub, TOKEN } from './fake-github.ts';

const vault = mkdtempSync(path.join(tmpdir(), 'throughline-vault-'));
let github: FakeGitHub;
let count = 0;
const waits: number[] = [];

beforeAll(async () => {
  github = await startGitHub();
});
afterAll(async () => {
  await github[Symbol.asyncDispose]();
  rmSync(vault, { recursive: true, force: true });
});

const open = (branch: string, more: { token?: string; repository?: string } = {}) =>
  openGitHubBranch({
    api: github.url,
    token: TOKEN,
    repository: 'sally/shop',
    branch,
    vault,
    wait: async (ms) => void waits.push(ms),
    now: () => 1_700_000_000_000,
    ...more,
  });

branchContract('GitHub', () => {
  const branch = `archive-${++count}`;
  return { open: async () => open(branch), [Symbol.dispose]: () => {} };
});

describe('an archive at GitHub', () => {
  it('is written again when somebody else was faster', async () => {
    const branch = open('faster');
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    github.answerWith(/PUT .*a\.jsonl$/, { status: 409, message: 'does not match' });
    expect(await archiveOriginal(branch, file('a.jsonl', '1\n2\n'))).toMatchObject({ how: 'grown' });
    expect(await verifyArchive(branch)).toMatchObject([{ state: 'whole' }]);
  });

  it('is finished the next time if only half of it got there', async () => {
    const branch = open('half');
    github.answerWith(/PUT .*records/, { status: 400, message: 'no' });
    await expect(archiveOriginal(branch, file('a.jsonl', '1\n'))).rejects.toMatchObject({
      code: 'archive-unavailable',
    });
    expect(await verifyArchive(branch)).toMatchObject([{ state: 'unfinished' }]);
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    expect(await verifyArchive(branch)).toEqual([{ path: 'archived-sessions/a.jsonl', state: 'whole' }]);
  });

  it('is whole as it was if what has grown got there without its record', async () => {
    const branch = open('half-grown');
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    github.answerWith(/PUT .*records/, { status: 400, message: 'no' });
    await expect(archiveOriginal(branch, file('a.jsonl', '1\n2\n'))).rejects.toThrow();
    expect(await verifyArchive(branch)).toMatchObject([{ state: 'whole' }]);
    expect((await restoreOriginal(branch, 'a.jsonl')).bytes.toString()).toBe('1\n');
    await archiveOriginal(branch, file('a.jsonl', '1\n2\n'));
    expect((await restoreOriginal(branch, 'a.jsonl')).bytes.toString()).toBe('1\n2\n');
  });

  it.each([/POST .*refs/, /PUT /])(
    'says what it refuses for good (%s), and does not try again',
    async (match) => {
      const before = github.asked.length;
      github.answerWith(match, { status: 422, message: 'content is not valid' });
      await expect(
        archiveOriginal(open(`refused-${match.source.length}`), file('a.jsonl', '1\n')),
      ).rejects.toMatchObject({
        code: 'archive-unavailable',
        message: expect.stringContaining('content is not valid'),
      });
      expect(github.asked.slice(before).filter((one) => match.test(one))).toHaveLength(1);
    },
  );

  it.each([
    ['a pause it asks for', 429, { 'retry-after': '3' }, 3000],
    [
      'the end of its limit',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000020' },
      21_000,
    ],
    ['a server that is out of order', 502, {}, 1000],
  ])('waits for %s', async (why, status, headers, pause) => {
    const branch = open(`limit-${status}`);
    waits.length = 0;
    github.answerWith(/PUT /, { status, headers: headers as Record<string, string> });
    await archiveOriginal(branch, file('a.jsonl', why));
    expect(waits).toEqual([pause]);
    expect(await listArchive(branch)).toHaveLength(1);
  });

  it('does not wait for an hour, and says until when', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700003600' };
    github.answerWith(/GET .*trees/, { status: 403, headers });
    await expect(archiveOriginal(open('hour'), file('a.jsonl', '1\n'))).rejects.toMatchObject({
      code: 'archive-busy',
      message: expect.stringContaining('2023-11-14T23:13:21'),
    });
  });

  it.each([
    ['a token that is none', { token: 'wrong' }],
    ['a repository that is none', { repository: 'sally/nothing' }],
  ])('says what is wrong with %s', async (_, more) => {
    await expect(archiveOriginal(open('wrong', more), file('a.jsonl', '1\n'))).rejects.toMatchObject({
      code: 'archive-unavailable',
      message: expect.stringContaining('GITHUB_TOKEN'),
    });
  });

  it('was never sent a secret', () => {
    expect(github.everything()).not.toContain('Ab1Ab1Ab1');
  });
});
