import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SHARED_WORKERS } from './support/shared-workers.ts';

const LEAVES_TRACES =
  /\bvi\.(?:mock|doMock|stub\w+|spyOn|useFakeTimers|resetModules)\b|process\.env\.\w+ \??\??=|delete process\.env|process\.chdir|globalThis\.\w+ =|from 'node:child_process'/;

it.each(SHARED_WORKERS)('%s leaves no traces for the next file of its worker', (pattern) => {
  const files = globSync(pattern);
  expect(files).not.toEqual([]);
  expect(files.filter((file) => LEAVES_TRACES.test(readFileSync(file, 'utf8')))).toEqual([]);
});
