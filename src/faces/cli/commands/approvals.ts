import path from 'node:path';
import { type Command, Option } from 'commander';
import type { listToolApprovals } from '../../../operations/approval/index.ts';
import {
  type App,
  createAppOperation,
  type OperationResult,
  perform,
  printedBy,
} from '../../../operations/index.ts';
import type { SessionId } from '../../../record/index.ts';
import { createMemoryStore } from '../../../store/index.ts';
import { sayCount } from '../../../text/index.ts';
import { helpExamples } from '../help-text.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { sayAge } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

type Approval = OperationResult<typeof listToolApprovals>['approvals'][number];

interface ApprovalOptions extends GlobalOptions {
  session?: string;
  revoke?: boolean;
  tool?: string;
  agent?: string;
  all?: boolean;
}

export function addApprovalsCommand(program: Command): void {
  program
    .command('approvals')
    .description(
      'List the tools that agents may run without asking: for good, and with --session those of a session. --revoke takes them back.',
    )
    .option('--session <session>', 'what was allowed in this session; with --revoke, only that')
    .option('--revoke', 'take back what --tool, --agent or --all names; it is asked about again')
    .addOption(new Option('--tool <name>', 'only approvals of this tool'))
    .addOption(new Option('--agent <file>', 'only approvals of this agent module').conflicts('session'))
    .addOption(new Option('--all', 'with --revoke: every approval').conflicts(['tool', 'agent']))
    .addHelpText(
      'after',
      helpExamples(
        ['throughline approvals', 'what was allowed for good, on this machine'],
        ['throughline approvals --session 1', 'and what was allowed in the first session of the last list'],
        ['throughline approvals --revoke --tool deploy', 'that tool asks again'],
        ['throughline approvals --revoke --all', 'every tool asks again'],
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ApprovalOptions>();
      await (options.revoke ? revoke(options) : list(options));
    });
}

/** Approvals for good are no part of a store: only those of a session open it. */
async function withApprovals<T>(
  { session, ...options }: ApprovalOptions,
  work: (app: App, chatSessionId?: SessionId) => Promise<T>,
): Promise<T> {
  if (session !== undefined)
    return withStore(options, async ({ app, find }) => work(app, (await find(session)).id));
  await using app = createAppOperation(createMemoryStore());
  return await work(app);
}

async function list({ tool, agent, ...options }: ApprovalOptions): Promise<void> {
  const { listToolApprovals } = await import('../../../operations/approval/index.ts');
  const asked = { toolName: tool, agent: agent === undefined ? undefined : path.resolve(agent) };
  const listed = await withApprovals(options, (app, chatSessionId) =>
    perform(listToolApprovals, { chatSessionId, ...asked }, app),
  );
  const { approvals } = listed;
  if (options.json) return printJson(printedBy(listToolApprovals, 'approvals', listed));
  if (approvals.length === 0) return note('No tool may run without asking.');
  await printLines(approvals.map(sayApproval));
  note(dimNote('Take one back: throughline approvals --revoke --tool <name>'));
}

/** `always   deploy  of /home/ann/agents/ops.mjs  (allowed 2 h ago)` */
function sayApproval({ scope, toolName, agent, approvedAt, by }: Approval): string {
  const who = by === null ? '' : ` by ${visibleLine(by)}`;
  return `${scope.padEnd(7)}  ${visibleLine(toolName)}  of ${visibleLine(agent)}  (allowed ${sayAge(approvedAt)}${who})`;
}

async function revoke({ tool, agent, all, ...options }: ApprovalOptions): Promise<void> {
  if (tool === undefined && agent === undefined && !all)
    throw usageError('Nothing was revoked: name what is meant with --tool, --agent or --all.');
  const { revokeApproval } = await import('../../../operations/approval/index.ts');
  const named = { ...(tool !== undefined && { toolName: tool }), ...(agent !== undefined && { agent }) };
  const taken = await withApprovals(options, (app, chatSessionId) =>
    perform(
      revokeApproval,
      chatSessionId === undefined
        ? { scope: 'always', ...named }
        : { scope: 'session', chatSessionId, ...named },
      app,
    ),
  );
  if (options.json) return printJson(printedBy(revokeApproval, 'approvals --revoke', taken));
  const { revoked } = taken;
  const where = options.session === undefined ? 'for good' : 'in that session';
  await printLines([
    revoked === 0
      ? `Nothing was revoked: no such approval was given ${where}.`
      : `${sayCount(revoked, 'approval')} ${where} taken back: the next call asks.`,
  ]);
}
