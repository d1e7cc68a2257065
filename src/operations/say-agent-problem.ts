/** The problem of an agent module with what a person at a terminal can do. Programs get the problem alone. */
export function sayAgentProblem(problem: string): string {
  return `${problem} "throughline chat --agent <file>" names a module to run.`;
}
