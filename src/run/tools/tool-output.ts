import type { AgentTool } from './agent-tool.ts';

/** A tool's output in the AI SDK's form. */
export interface ToolOutput {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The output of a tool as the model gets it. Always something that can be written down. */
export async function toolOutput(
  tool: AgentTool,
  { toolCallId, input, output }: { toolCallId: string; input: unknown; output: unknown },
): Promise<ToolOutput> {
  if (tool.toModelOutput) {
    const told = await tool.toModelOutput({ toolCallId, input: input as never, output: output as never });
    return told as ToolOutput;
  }
  if (output === undefined) return { type: 'text', value: '' };
  return typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'json', value: jsonOf(output) };
}

export function errorOutput(error: unknown): ToolOutput {
  return { type: 'error-text', value: error instanceof Error ? error.message || error.name : String(error) };
}

/** A value that JSON cannot hold (a circle, a big integer) is given as text rather than lost. */
function jsonOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return String(value);
  }
}
