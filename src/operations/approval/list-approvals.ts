import { z } from 'zod';
import { listApprovals } from '../../run/index.ts';
import { ApprovalScope, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';

const Kept = z.strictObject({
  scope: ApprovalScope.exclude(['once']),
  toolName: z.string(),
  agent: z.string().describe('The file of the agent module that the tool comes from.'),
});

export const listToolApprovals = operation({
  name: 'ai/tool/approvals',
  summary:
    'Tools that run without asking, because they were allowed for the session or for good. Approvals for good are shown to tokens that reach everything.',
  params: z.strictObject({
    chatSessionId: SessionField.optional().describe('Also the approvals of this session.'),
    toolName: z.string().min(1).max(500).optional().describe('Only approvals of this tool.'),
    agent: z.string().min(1).max(4096).optional().describe('Only approvals of this agent module.'),
  }),
  result: z.strictObject({
    approvals: z.array(Kept.extend({ approvedAt: z.number(), by: z.string().nullable() })),
  }),
  faces: {
    help: {
      approvals:
        'List the tools that agents may run without asking: for good, and with --session those of a session.',
    },
    rpc: true,
    cli: {
      approvals: {
        schema: z.array(Kept.extend({ at: z.number(), by: z.string().optional() })),
        of: ({ approvals }) =>
          approvals.map(({ approvedAt: at, by, ...kept }) => ({ ...kept, at, ...(by !== null && { by }) })),
      },
    },
  },
  async run({ chatSessionId, toolName: tool, agent: module }, { find, access }) {
    const listed = await listApprovals(chatSessionId === undefined ? undefined : await find(chatSessionId));
    return {
      approvals: listed
        .filter(({ scope }) => scope === 'session' || access.projects === null)
        .filter(({ toolName }) => tool === undefined || toolName === tool)
        .filter(({ agent }) => module === undefined || agent === module)
        .map(({ scope, toolName, agent, at, by = null }) => ({ scope, toolName, agent, approvedAt: at, by })),
    };
  },
});
