import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openTokensFile } from '../../../src/faces/rpc/http/tokens.ts';

vi.mock(import('node:fs'), async (original) => {
  const fs = await original();
  return { ...fs, readFileSync: vi.fn(fs.readFileSync) as unknown as typeof fs.readFileSync };
});

const folder = mkdtempSync(path.join(tmpdir(), 'throughline-tokens-'));

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

it('sees that a token was taken out while the file was being read', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const file = path.join(folder, 'tokens.json');
  const line = { name: 'ann', sha256: '0'.repeat(64), projects: null, access: 'read' };
  const before = JSON.stringify({ tokens: [line] });
  writeFileSync(file, before);
  vi.mocked(readFileSync).mockImplementationOnce(() => {
    writeFileSync(file, JSON.stringify({ tokens: [] }));
    return before;
  });
  const tokens = openTokensFile(file);
  expect(tokens()).toHaveLength(1);
  vi.setSystemTime(Date.now() + 1001);
  expect(tokens()).toEqual([]);
});
