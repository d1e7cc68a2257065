import { Icon } from '../app/icon.tsx';
import type { Meter } from '../session/open-state.ts';

/** Why another model answers than the session's, and why its agent module is left out, in the server's sentences. */
export function AnswerProblems({ meter }: { meter: Meter | undefined }) {
  const problems = [meter?.modelProblem, meter?.agentProblem].filter((problem) => problem !== undefined);
  if (problems.length === 0) return null;
  return (
    <div className="answer-problems" role="status">
      <Icon name="warning" />
      <div>
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
    </div>
  );
}
