import type { Command } from 'commander';
import type { Proposal } from '../../memory/index.ts';
import { helpExamples } from '../help-text.ts';
import { parseCount } from '../parse-option.ts';
import { describeFact } from '../render/describe-fact.ts';
import { renderAccepted, renderProposals } from '../render/render-proposals.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { sayCount } from '../terminal/say.ts';
import { usageError } from '../usage-error.ts';
import { type ProjectOptions, type ProjectWorkplace, withProject } from '../with-project.ts';
import { limitOf, sourceOf } from './memory-facts.ts';

interface ProposalOptions extends ProjectOptions {
  limit?: number;
  declined?: boolean;
  all?: boolean;
  as?: string;
  by?: string;
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
      await withProject(options, { write: false }, async (workplace) => {
        const { proposals, sessions, read } = await listed(workplace);
        const asked = proposals.filter(({ declined }) => declined === (options.declined === true));
        if (options.json) return printJson({ proposals: asked.slice(0, options.limit), sessions, read });
        const shown = asked.slice(0, options.limit ?? DEFAULT_LIMIT);
        return printLines(renderProposals(shown, { all: asked.length, sessions, read }));
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
        const { store, memory: room } = workplace;
        const chosen = await choose(workplace, references, options);
        const source = await sourceOf(workplace, options);
        if (options.as !== undefined && chosen.length !== 1)
          throw usageError('Other words are for one proposal: name it alone.');
        const project = await room.openProject(store, workplace.project);
        const accepted =
          options.as === undefined
            ? await room.acceptProposals(store, project, chosen, { source })
            : [(await room.editProposal(store, project, chosen[0]!, options.as, { source })).fact];
        const known = room.showFacts(await room.readMemory(store, project));
        const { budget } = room.fitFacts(known, limitOf(project));
        await (options.json
          ? printJson({ accepted: accepted.map(describeFact), budget })
          : printLines(renderAccepted(accepted, budget)));
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
        const { store, memory: room, project } = workplace;
        const chosen = await choose(workplace, references, options);
        const source = await sourceOf(workplace, options);
        const reason = options.reason === undefined ? {} : { reason: options.reason };
        const declined = await room.declineProposals(store, project, chosen, { source, ...reason });
        await (options.json
          ? printJson({ declined })
          : printLines([`Declined ${sayCount(declined.length, 'proposal')}.`]));
      });
    });
}

async function listed({ store, memory, project }: ProjectWorkplace) {
  return memory.listProposals(store, project, await memory.readMemory(store, project));
}

/** Those named, each once; if one is not there, nothing is done to the others. */
async function choose(
  workplace: ProjectWorkplace,
  references: readonly string[],
  { all }: ProposalOptions,
): Promise<Proposal[]> {
  const { proposals } = await listed(workplace);
  if (all && references.length > 0) throw usageError('Name proposals, or say --all, but not both.');
  if (all) return proposals.filter(({ declined }) => !declined);
  if (references.length === 0) throw usageError('Name the proposals, or say --all.');
  const chosen = references.map((reference) =>
    workplace.memory.findFact(proposals, reference, { what: 'proposal' }),
  );
  return [...new Set(chosen)];
}
