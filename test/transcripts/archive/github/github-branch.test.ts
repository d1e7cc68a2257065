import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  archiveOriginal,
  compareOriginals,
  listArchive,
  openGitHubBranch,
  restoreOriginal,
  verifyArchive,
} from '../../../../src/transcripts/archive/index.ts';
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
  it('is written again after a conflict', async () => {
    const branch = open('faster');
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    github.answerWith(/PUT .*a\.jsonl$/, { status: 409, message: 'does not match' });
    expect(await archiveOriginal(branch, file('a.jsonl', '1\n2\n'))).toMatchObject({ how: 'grown' });
    expect(await verifyArchive(branch)).toMatchObject([{ state: 'whole' }]);
  });

  const said = (...lines: string[]) =>
    `${['{"session":{"id":"s"}}', ...lines, `{"end":{"session":"s","entries":${lines.length}}}`].join('\n')}\n`;

  it.each(
    (['file', 'session'] as const).flatMap((kind) =>
      [/PUT .*records/, /PUT .*archived-sessions/].flatMap((lost) =>
        [1, 2].map((at) => ({ kind, lost, at })),
      ),
    ),
  )(
    'is what it was before if only half of a $kind got there (without $lost of version $at)',
    async ({ kind, lost, at }) => {
      const branch = open(`half-${kind}-${lost.source.length}-${at}`);
      // A session that has grown does not begin with what it was: its end is elsewhere.
      const versions = [said('1'), said('1', '2')].map((text) =>
        Buffer.from(kind === 'session' ? text : text.replace(/\{"end.*\n/, '')),
      );
      const put = (n: number) => archiveOriginal(branch, { name: 'a.jsonl', kind, bytes: versions[n - 1]! });
      if (at === 2) await put(1);
      github.answerWith(lost, { status: 400, message: 'no' });
      await expect(put(at)).rejects.toMatchObject({ code: 'archive-unavailable' });
      const before = at === 2 ? [versions[0]!.toString()] : [];
      expect((await verifyArchive(branch)).map(({ state }) => state)).toEqual(before.map(() => 'whole'));
      if (at === 2) {
        expect([(await restoreOriginal(branch, 'a.jsonl')).bytes.toString()]).toEqual(before);
        const compared = await compareOriginals(branch, [{ name: 'a.jsonl', kind, bytes: versions[1]! }]);
        expect(compared[0]!.state).toBe('grown');
      }
      await put(at);
      expect(await verifyArchive(branch)).toEqual([{ path: 'archived-sessions/a.jsonl', state: 'whole' }]);
      expect((await restoreOriginal(branch, 'a.jsonl')).bytes.equals(versions[at - 1]!)).toBe(true);
      await put(2);
      expect((await restoreOriginal(branch, 'a.jsonl')).bytes.equals(versions[1]!)).toBe(true);
    },
  );

  it('is what it was before when two got half of theirs there', async () => {
    const branch = open('two-halves');
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    for (const text of ['1\n2\n', '1\n2\n3\n']) {
      github.answerWith(/PUT .*archived-sessions/, { status: 400, message: 'no' });
      await expect(archiveOriginal(branch, file('a.jsonl', text))).rejects.toThrow();
      expect(await verifyArchive(branch)).toMatchObject([{ state: 'whole' }]);
    }
    expect((await restoreOriginal(branch, 'a.jsonl')).bytes.toString()).toBe('1\n');
  });

  it('is still read where a file got there without its record', async () => {
    const branch = open('old-halves');
    const look = await branch.look();
    await branch.commit(look, {
      files: new Map([
        ['README.md', Buffer.from('x')],
        ['archived-sessions/a.jsonl', Buffer.from('1\n')],
      ]),
      message: 'x',
    });
    expect(await verifyArchive(branch)).toMatchObject([{ state: 'unfinished' }]);
    await archiveOriginal(branch, file('a.jsonl', '1\n'));
    expect(await verifyArchive(branch)).toMatchObject([{ state: 'whole' }]);
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
  ])('reports the error of %s', async (_, more) => {
    await expect(archiveOriginal(open('wrong', more), file('a.jsonl', '1\n'))).rejects.toMatchObject({
      code: 'archive-unavailable',
      message: expect.stringContaining('GITHUB_TOKEN'),
    });
  });

  it('was never sent a secret', () => {
    expect(github.everything()).not.toContain('Ab1Ab1Ab1');
  });
});
