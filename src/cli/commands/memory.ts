import type { Command } from 'commander';
import { helpExamples } from '../help-text.ts';
import { parseCount } from '../parse-option.ts';
import { describeFact, describeProject } from '../render/describe-fact.ts';
import { renderMemory } from '../render/render-memory.ts';
import { print, printJson, printLines } from '../terminal/print.ts';
import { type ProjectOptions, type ProjectWorkplace, withProject } from '../with-project.ts';
import { addFactCommands } from './memory-facts.ts';
import { addFilesCommand } from './memory-files.ts';
import { addProposalCommands } from './memory-proposals.ts';

interface MemoryOptions extends ProjectOptions {
  budget?: number;
  text?: boolean;
}

export function addMemoryCommand(program: Command): void {
  const memory = program
    .command('memory')
    .description(
      'Show what is known about a project, and how much of its budget that takes. Facts are never overwritten: what stands in for what can be looked up.',
    )
    .option('--project <project>', 'an id, a name or a folder (default: the project this folder is in)')
    .option('--budget <tokens>', 'as if the facts had this much room', parseCount)
    .option('--text', 'print what a model is shown, word for word')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline memory', 'what is known, and the room that is left'],
        ['throughline memory add "The API listens on 8080"', 'write it down'],
        ['throughline memory edit 1a2b3c4d "It listens on 9090"', 'say it anew; the old words are kept'],
        ['throughline memory proposals', 'what summaries suggest, to accept or decline'],
        ['throughline memory files src/auth', 'who touched it, when and why'],
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<MemoryOptions>();
      await withProject(options, { write: false }, (workplace) => run(workplace, options));
    });
  addFactCommands(memory);
  addProposalCommands(memory);
  addFilesCommand(memory);
}

async function run(
  { store, memory, project, top, offers }: ProjectWorkplace,
  { budget: limit = project.budget, text, json }: MemoryOptions,
): Promise<void> {
  const facts = memory.showFacts(await memory.readMemory(store, project));
  const fitted = memory.fitFacts(facts, { ...(limit !== undefined && { limit }) });
  if (text && !json) {
    const { pieces } = await memory.memoryHead(store, {
      project,
      ...(top !== undefined && { folder: top }),
      ...(limit !== undefined && { factTokens: limit }),
    });
    return print(pieces.length === 0 ? '' : `${pieces.map((piece) => piece.text).join('\n\n')}\n`);
  }
  const instructions = await memory.readInstructions(top);
  const nested = top === undefined ? undefined : await memory.nestedInstructions(top);
  if (!json) return printLines(renderMemory({ project, facts, fitted, instructions, nested }));
  const leftOut = new Map(fitted.leftOut.map(({ id, reason }) => [id, reason]));
  return printJson({
    project: describeProject(project),
    budget: fitted.budget,
    facts: facts.map((fact) => ({ ...describeFact(fact), leftOut: leftOut.get(fact.id) ?? null })),
    instructions: instructions.map(({ text: _, ...file }) => file),
    nested: nested?.files ?? [],
    offers: offers.map(({ project: { id }, because, moved }) => ({ project: id, because, moved })),
  });
}
