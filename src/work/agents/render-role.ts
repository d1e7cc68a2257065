import type { AgentFile } from './agent-description.ts';

/** The role as a request shows it: first, and word for word. */
export function renderRole({ role, instructions, allowedTools, toolInstructions }: AgentFile): string {
  const lists = [
    ...(instructions.length > 0
      ? ['', '## Instructions', '', ...instructions.map((line) => `- ${line}`)]
      : []),
    ...(allowedTools.length > 0 ? ['', '## Tools', '', `You may use: ${allowedTools.join(', ')}.`] : []),
    ...(toolInstructions ? ['', toolInstructions] : []),
  ];
  return ['# Your Role', '', role, ...lists].join('\n');
}
