import { afterEach, describe, expect, it, vi } from 'vitest';
import { helpLines } from '../../../../src/faces/cli/chat/chat-help.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the help of the chat', () => {
  it.each([34, 40, 60, 80, 100, 200])('fits %i columns and breaks no word', (width) => {
    vi.stubEnv('COLUMNS', '100000');
    const words = helpLines().join(' ').split(/\s+/);
    vi.stubEnv('COLUMNS', String(width));
    const lines = helpLines().flatMap((line) => line.split('\n'));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    expect(lines.join(' ').split(/\s+/)).toEqual(words);
  });
});
