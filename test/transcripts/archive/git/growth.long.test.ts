import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { recordPath, sha256, writeRecord } from '../../../../src/transcripts/archive/archive-record.ts';
import { adoptPacks, packAnew, packsOf } from '../../../../src/transcripts/archive/git/upkeep.ts';
import { archiveOriginal, openGitBranch, verifyArchive } from '../../../../src/transcripts/archive/index.ts';
import { type NewCommit, writeHistory } from '../../../../src/transcripts/archive/scrub/write-history.ts';
import { file } from '../branch-contract.ts';
import { createRepository } from '../repository.ts';

const SESSIONS = 4;
const DAYS = 64;

/** Words as they come in conversations: some often, some once. Every day says something else. */
function createWords() {
  let state = 12345;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return ((mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ (mixed >>> 14)) >>> 0;
  };
  return (count: number) =>
    Array.from({ length: count }, () => {
      const number = random();
      return number % 3 === 0 ? `word${number % 400}` : `x${number.toString(36)}`;
    }).join(' ');
}

it('costs little more than its content, however often it was archived', async () => {
  using repository = createRepository({ bare: true });
  const branch = await openGitBranch(repository.gitDir, 'session-archive');
  const words = createWords();
  const texts = Array.from({ length: SESSIONS }, () => '');
  const kilobytes = (name: string) =>
    Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(repository.git('count-objects', '-v'))?.[1]);
  const ratios: number[] = [];
  for (let day = 0; day < DAYS; day++) {
    for (let n = 0; n < SESSIONS; n++) {
      texts[n] += `${JSON.stringify({ day, said: words(1000) })}\n`;
      await archiveOriginal(branch, file(`s${n}.jsonl`, texts[n]!), { redact: false });
      const unique = texts.reduce((sum, text) => sum + deflateSync(text).length, 0);
      ratios.push(((kilobytes('size') + kilobytes('size-pack')) * 1024) / unique);
    }
  }
  // At the beginning there is little in it, and what is not packed yet weighs more.
  const grown = ratios.slice(ratios.length / 2);
  console.log(
    `after ${SESSIONS * DAYS} archives at most ${Math.max(...grown).toFixed(2)}, last ${ratios.at(-1)?.toFixed(2)}`,
  );
  expect((await verifyArchive(branch)).every(({ state }) => state === 'whole')).toBe(true);
  expect(Math.max(...grown)).toBeLessThan(1.5);
}, 600_000);

/** A year of daily archives of a thousand sessions would take hours, so the same commits are written without the rest. */
it.each([
  { sessions: 1000, days: 12 },
  { sessions: 20, days: 120 },
])(
  'costs little more than its content with $sessions sessions that grew $days times',
  async ({ sessions, days }) => {
    using repository = createRepository({ bare: true });
    const branch = await openGitBranch(repository.gitDir, 'session-archive');
    const words = createWords();
    const texts = Array.from({ length: sessions }, () => '');
    async function* commits(): AsyncGenerator<NewCommit> {
      for (let day = 0; day < days; day++) {
        for (let n = 0; n < sessions; n++) {
          texts[n] += `${JSON.stringify({ day, said: words(1000) })}\n`;
          const bytes = Buffer.from(texts[n]!);
          const name = `session-${n}.jsonl`;
          const path = `archived-sessions/${name}`;
          const hash = sha256(bytes);
          const archivedAt = new Date(1_700_000_000_000 + day * 86_400_000 + n * 1000);
          const record = writeRecord({
            name,
            kind: 'file',
            sha256: hash,
            bytes: bytes.length,
            lines: day + 1,
            stored: { sha256: hash, bytes: bytes.length },
            secrets: 0,
            archivedAt: archivedAt.toISOString(),
          });
          const author = `Sally <sally@example.com> ${Math.floor(archivedAt.getTime() / 1000)} +0000`;
          const message = `Archive session: ${name}\n\nOriginal-SHA256: ${hash}\nOriginal-Bytes: ${bytes.length}\n`;
          const changes = [
            { path, blob: bytes },
            { path: recordPath(path), blob: record },
          ];
          yield { author, committer: author, message, changes };
        }
      }
    }
    const tip = await writeHistory(branch.git, undefined, commits());
    await branch.move(tip, undefined);
    await adoptPacks(branch, packsOf(branch.gitDir));
    await packAnew(branch);
    const kilobytes = (name: string) =>
      Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(repository.git('count-objects', '-v'))?.[1]);
    const ratios: number[] = [];
    let unique = texts.reduce((sum, text) => sum + deflateSync(text).length, 0);
    const measure = () => ratios.push(((kilobytes('size') + kilobytes('size-pack')) * 1024) / unique);
    measure();
    for (let n = 0; n < 30; n++) {
      unique -= deflateSync(texts[n % sessions]!).length;
      texts[n % sessions] += `${JSON.stringify({ day: days, said: words(1000) })}\n`;
      unique += deflateSync(texts[n % sessions]!).length;
      await archiveOriginal(branch, file(`session-${n % sessions}.jsonl`, texts[n % sessions]!), {
        redact: false,
      });
      measure();
    }
    console.log(
      `${sessions} sessions that grew ${days} times, ${Math.round(unique / 1e6)} MB: ${ratios[0]!.toFixed(2)} packed, then at most ${Math.max(...ratios).toFixed(2)}`,
    );
    expect(Math.max(...ratios)).toBeLessThan(1.5);
  },
  900_000,
);
