import type { OpenCall } from '../read-turn.ts';
import type { AgentTool, Approval, Approve } from './agent-tool.ts';
import { stoppable } from './stoppable.ts';

const NOBODY = 'This tool needs approval, and nobody is there to give it.';

/** Whether a call may be run. Without somebody to ask, a tool that needs approval is not run. */
export async function askApproval(
  tool: AgentTool,
  { toolCallId, toolName, input }: OpenCall,
  { approve, signal }: { approve: Approve | undefined; signal: AbortSignal },
): Promise<{ readonly approved: boolean; readonly reason?: string }> {
  if (!(await stoppable(needsApproval(tool, { toolCallId, input }), signal))) return { approved: true };
  if (!approve) return { approved: false, reason: NOBODY };
  const answer: Approval = await stoppable(approve({ toolCallId, toolName, input }, { signal }), signal);
  return typeof answer === 'boolean' ? { approved: answer } : answer;
}

async function needsApproval(
  { needsApproval: needs }: AgentTool,
  { toolCallId, input }: { toolCallId: string; input: unknown },
): Promise<boolean> {
  if (typeof needs !== 'function') return needs === true;
  return (await needs(input, { toolCallId, messages: [], context: {} })) === true;
}
