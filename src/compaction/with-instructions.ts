import type { SummariseRequest, Summariser } from './summariser.ts';

/** The summariser with standing instructions in front of those of each request; without any, the summariser as it is. */
export function withInstructions(summariser: Summariser, standing: string | undefined): Summariser {
  if (standing === undefined || standing.trim() === '') return summariser;
  // The same request stays the same: a summariser knows by it what it wrote before a failure.
  const known = new WeakMap<SummariseRequest, SummariseRequest>();
  const instructed = (request: SummariseRequest): SummariseRequest => {
    const instructions = [standing.trim(), request.instructions].filter(Boolean).join('\n\n');
    const made = known.get(request) ?? { ...request, instructions };
    known.set(request, made);
    return made;
  };
  return {
    ...summariser,
    summarise: (request, options) => summariser.summarise(instructed(request), options),
  };
}
