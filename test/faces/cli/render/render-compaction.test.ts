import { expect, it } from 'vitest';
import { renderCompaction } from '../../../../src/faces/cli/render/render-compaction.ts';

it('gives the reason of a failure once, however often the model was asked', () => {
  const busy = { by: 'openai:gpt-5', reason: 'it is busy' };
  const cut = { by: 'openai:gpt-5', reason: 'it was cut off' };
  const lines = renderCompaction('s', {
    compactionId: 'c',
    messagesCompacted: 4,
    kept: { messages: 2 },
    originalTokenCount: 100,
    compressedTokenCount: 10,
    retention: 0.5,
    by: { kind: 'digest' },
    failures: [cut, busy, cut, busy],
    instead: 'The digest wrote the summary, because openai:gpt-5 did not: it is busy.',
    summary: 'Asked.',
  } as never);
  expect(lines.filter((line) => line.includes('it is busy'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('it was cut off'))).toHaveLength(1);
});
