import type { Command } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
import { sayCount } from '../../../text/index.ts';
import { helpExamples } from '../help-text.ts';
import { parseCount } from '../parse-option.ts';
import { renderAccepted, renderProposals } from '../render/render-proposals.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { usageError } from '../usage-error.ts';
import { type ProjectOptions, type ProjectWorkplace, withProject } from '../with-project.ts';

interface ProposalOptions extends ProjectOptions {
  limit?: number;
  declined?: boolean;
  all?: boolean;
  as?: string;
  reason?: string;
}

const DEFAULT_LIMIT = 20;
const PROPOSAL_ARGUMENT = 'the end of its id, as "throughline memory proposals" shows it';

/** proposals, accept and decline. */
export function addProposalCommands(memory: Command): void {
  memory
    .command('proposals')
    .description(
      'List what could be written down: facts and decisions from summaries, and what agents proposed. Nothing is known before you accept it.',
    )
    .option(
      '-n, --limit <count>',
      `how many to list (default: ${DEFAULT_LIMIT}; all with --json)`,
      parseCount,
    )
    .option('--declined', 'list what was declined')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline memory proposals', 'the newest, with the session each comes from'],
        ['throughline memory accept 1a2b3c4d 5e6f7a8b', 'write these two down'],
        ['throughline memory decline 9c0d1e2f', 'not this one, and do not ask again'],
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ProposalOptions>();
      await withProject(options, { write: false }, async ({ app, project }) => {
        const { listProjectProposals } = await import('../../../operations/memory/index.ts');
        const limit = options.limit ?? (options.json ? Number.MAX_SAFE_INTEGER : DEFAULT_LIMIT);
        const asked = { project: project.id, limit, declined: options.declined };
        const listed = await perform(listProjectProposals, asked, app);
        await (options.json
          ? printJson(printedBy(listProjectProposals, 'memory proposals', listed))
          : printLines(renderProposals(listed)));
      });
    });

  memory
    .command('accept')
    .description('Write proposals down as facts, with where they were said.')
    .argument('[proposals...]', PROPOSAL_ARGUMENT)
    .option('--all', 'all that are proposed')
    .option('--as <text>', 'in other words; for one proposal')
    .option('--by <name>', 'who says so (default: you)')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline memory accept 1a2b3c4d', 'as it is'],
        ['throughline memory accept 1a2b3c4d --as "Java 21, not 17"', 'put right'],
      ),
    )
    .action(async (references: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ProposalOptions>();
      await withProject(options, { write: true }, async (workplace) => {
        const { acceptProjectProposals } = await import('../../../operations/memory/index.ts');
        const chosen = await choose(workplace, references, options);
        const accepted = await perform(
          acceptProjectProposals,
          { ...chosen, text: options.as },
          workplace.app,
        );
        await (options.json
          ? printJson(printedBy(acceptProjectProposals, 'memory accept', accepted))
          : printLines(renderAccepted(accepted)));
      });
    });

  memory
    .command('decline')
    .description('Turn proposals down. They are not proposed again.')
    .argument('[proposals...]', PROPOSAL_ARGUMENT)
    .option('--all', 'all that are proposed')
    .option('--reason <text>', 'why')
    .option('--by <name>', 'who says so (default: you)')
    .addHelpText('after', helpExamples(['throughline memory decline 1a2b3c4d', 'not worth keeping']))
    .action(async (references: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ProposalOptions>();
      await withProject(options, { write: true }, async (workplace) => {
        const { declineProjectProposals } = await import('../../../operations/memory/index.ts');
        const chosen = await choose(workplace, references, options);
        const asked = { ...chosen, reason: options.reason };
        const settled = await perform(declineProjectProposals, asked, workplace.app);
        await (options.json
          ? printJson(printedBy(declineProjectProposals, 'memory decline', settled))
          : printLines([`Declined ${sayCount(settled.declined.length, 'proposal')}.`]));
      });
    });
}

/** The proposals that are named, or all of them. */
async function choose(
  { project, findProposals }: ProjectWorkplace,
  references: readonly string[],
  { all }: ProposalOptions,
) {
  if (all && references.length > 0) throw usageError('Name proposals, or say --all, but not both.');
  if (!all && references.length === 0) throw usageError('Name the proposals, or say --all.');
  return { project: project.id, ...(all ? { all } : { ids: await findProposals(references) }) };
}
