import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const examples = globSync('examples/*.ts').sort();

describe('the examples', () => {
  it('are numbered without a gap', () => {
    const numbers = examples.map((file) => Number(path.basename(file).slice(0, 2)));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it.each(examples)('%s runs, and would fail if it were wrong', (file) => {
    expect(readFileSync(file, 'utf8')).toMatch(/assert\b/);
    const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
