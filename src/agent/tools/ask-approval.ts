import type { Session } from '../../session/index.ts';
import type { Agent } from '../definition/agent.ts';
import type { OpenCall } from '../read-turn.ts';
import { stoppableTurn } from '../turn-queue.ts';
import { type AgentTool, APPROVAL_SCOPES, type Approval, type Approve } from './agent-tool.ts';
import { isApproved, keepApproval } from './kept-approvals.ts';

const NOBODY = 'This tool needs approval, and nobody is there to give it.';

interface AskingWork {
  readonly session: Session;
  readonly agent: Agent | undefined;
  readonly approve: Approve | undefined;
  readonly signal: AbortSignal;
}

/** Decides whether a call may run: by an earlier approval that still holds, else by asking, else not. */
export async function askApproval(
  tool: AgentTool,
  { toolCallId, toolName, input }: OpenCall,
  { session, agent, approve, signal }: AskingWork,
): Promise<{ readonly approved: boolean; readonly reason?: string }> {
  const needs = await stoppableTurn(needsApproval(tool, { toolCallId, input }), signal);
  if (!needs) return { approved: true };
  const file = needs === 'every-time' ? undefined : moduleOf(agent, toolName, tool);
  const kept = file === undefined ? undefined : { agent: file, toolName };
  if (kept && (await isApproved(session, kept))) return { approved: true };
  if (!approve) return { approved: false, reason: NOBODY };
  const request = { toolCallId, toolName, input, scopes: kept ? APPROVAL_SCOPES : (['once'] as const) };
  const answer: Approval = await stoppableTurn(approve(request, { signal }), signal);
  if (typeof answer === 'boolean') return { approved: answer };
  const { approved, reason, scope = 'once', by } = answer;
  if (approved && kept && scope !== 'once')
    await keepApproval(session, { ...kept, scope, ...(by !== undefined && { by }) });
  return { approved, ...(reason !== undefined && { reason }) };
}

/** The file that the tool came with; a tool of the program's own belongs to no module that a yes could be kept for. */
function moduleOf(agent: Agent | undefined, name: string, tool: AgentTool): string | undefined {
  const file = (agent as { path?: unknown } | undefined)?.path;
  return typeof file === 'string' && agent?.tools?.[name] === tool ? file : undefined;
}

async function needsApproval(
  { needsApproval: needs }: AgentTool,
  { toolCallId, input }: { toolCallId: string; input: unknown },
): Promise<boolean | 'every-time'> {
  const decide = needs as ((input: unknown, call: unknown) => unknown) | undefined;
  const found: unknown =
    typeof needs === 'function' ? await decide!(input, { toolCallId, messages: [], context: {} }) : needs;
  if (found === undefined || found === null || found === false) return false;
  return found === true ? true : 'every-time';
}
