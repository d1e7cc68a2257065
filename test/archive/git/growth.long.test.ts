import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { archiveOriginal, openGitBranch, verifyArchive } from '../../../src/archive/index.ts';
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

it('costs little more than what is in it, however often it was archived', async () => {
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
  expect(Math.max(...grown)).toBeLessThan(1.8);
}, 600_000);
