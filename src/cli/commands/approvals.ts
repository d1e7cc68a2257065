import path from 'node:path';
import { type Command, Option } from 'commander';
import { type KeptApproval, listApprovals, revokeAlways, revokeInSession } from '../../run/index.ts';
import { helpExamples } from '../help-text.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printLines } from '../terminal/print.ts';
import { sayAge, sayCount } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

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

async function list({ session, tool, agent, ...options }: ApprovalOptions): Promise<void> {
  const all =
    session === undefined
      ? await listApprovals()
      : await withStore(options, async ({ find }) => listApprovals(await find(session)));
  const file = agent === undefined ? undefined : path.resolve(agent);
  const shown = all.filter(
    (one) => (tool === undefined || one.toolName === tool) && (file === undefined || one.agent === file),
  );
  if (options.json) return printJson(shown);
  if (shown.length === 0) return note('No tool may run without asking.');
  await printLines(shown.map(sayApproval));
  note(dimNote('Take one back: throughline approvals --revoke --tool <name>'));
}

/** `always   deploy  of /home/ann/agents/ops.mjs  (allowed 2 h ago)` */
function sayApproval({ scope, toolName, agent, at, by }: KeptApproval): string {
  const who = by === undefined ? '' : ` by ${visibleLine(by)}`;
  return `${scope.padEnd(7)}  ${visibleLine(toolName)}  of ${visibleLine(agent)}  (allowed ${sayAge(at)}${who})`;
}

async function revoke({ session, tool, agent, all, ...options }: ApprovalOptions): Promise<void> {
  if (tool === undefined && agent === undefined && !all)
    throw usageError('Nothing was revoked: name what is meant with --tool, --agent or --all.');
  const revoked =
    session === undefined
      ? await revokeAlways({ toolName: tool, agent })
      : await withStore(options, async ({ store, find }) =>
          revokeInSession(store, await find(session), { toolName: tool }),
        );
  if (options.json) return printJson({ revoked });
  const where = session === undefined ? 'for good' : 'in that session';
  await printLines([
    revoked === 0
      ? `Nothing was revoked: no such approval was given ${where}.`
      : `${sayCount(revoked, 'approval')} ${where} taken back: the next call asks.`,
  ]);
}
