import { expect, it } from 'vitest';
import { renderFileCompaction } from '../../../../src/faces/cli/render/render-file-compaction.ts';

it('says once that a model failed, however often it was asked', () => {
  const failure = { by: 'openai:gpt-5', reason: 'it is busy' };
  const lines = renderFileCompaction({
    file: 'a.jsonl',
    format: 'pi',
    analysis: { lines: 10, oldTurns: 3, recentTurns: 1 } as never,
    outcome: 'shortened',
    linesAfter: 5,
    bytesBefore: 100,
    bytesAfter: 50,
    failures: [failure, failure] as never,
    usage: { inputTokens: 4_000, outputTokens: 500, cost: 1.25 },
  });
  expect(lines.filter((line) => line.includes('was not used'))).toHaveLength(1);
  expect(lines.at(-1)).toContain('the calls to the model took 4,500 tokens ($1.25)');
});
