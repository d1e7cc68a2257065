import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const MOST = 70;

it(`one offline turn runs in ${MOST} files at most`, () => {
  const printed = execFileSync(process.execPath, ['test/run/files-of-a-turn.ts'], { encoding: 'utf8' });
  const files = JSON.parse(printed) as string[];
  expect(files).toContain('run/run-turn.ts');
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(MOST);
});
