import type { Summarised, SummariseRequest, Summariser } from '../../src/compaction/index.ts';
import { emptySummary } from '../../src/record/index.ts';

export interface ScriptedSummariser extends Summariser {
  readonly requests: SummariseRequest[];
}

/** A summariser from outside: does what the test says, and remembers what it was asked. */
export function scripted(
  answer: (
    request: SummariseRequest,
    signal: AbortSignal,
  ) => Promise<Partial<Summarised>> | Partial<Summarised>,
): ScriptedSummariser {
  const requests: SummariseRequest[] = [];
  return {
    name: 'scripted:model',
    requests,
    async summarise(request, { signal }) {
      requests.push(request);
      return {
        summary: emptySummary('What was said.'),
        by: { kind: 'model', model: 'scripted:model' },
        ...(await answer(request, signal)),
      };
    },
  };
}
