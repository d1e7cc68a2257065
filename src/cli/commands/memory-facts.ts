import { userInfo } from 'node:os';
import { type Command, Option } from 'commander';
import type { WrittenFact } from '../../memory/index.ts';
import { perform, printedBy } from '../../operations/index.ts';
import type { EntryId, FactSource, SessionInfo } from '../../record/index.ts';
import { entryAt } from '../../session/index.ts';
import { helpExamples } from '../help-text.ts';
import { parseCount, parsePosition } from '../parse-option.ts';
import { describeFact, describeProject } from '../render/describe-fact.ts';
import { renderHistory, renderRetracted, renderWritten } from '../render/render-fact.ts';
import { budgetLines } from '../render/render-memory.ts';
import { printJson, printJsonList, printLines } from '../terminal/print.ts';
import { type ProjectOptions, type ProjectWorkplace, withProject } from '../with-project.ts';

interface FactOptions extends ProjectOptions {
  decision?: boolean;
  by?: string;
  session?: string;
  entry?: number | EntryId;
  reason?: string;
}

const FACT_ARGUMENT = 'the end of its id, as "throughline memory" shows it';

/** add, edit, retract, history and budget. */
export function addFactCommands(memory: Command): void {
  memory
    .command('add')
    .description('Write down a fact. One that is known in the same words is not written twice.')
    .argument('<text...>', 'one line')
    .option('--decision', 'it is a decision')
    .option('--by <name>', 'who says so (default: you)')
    .option('--session <session>', 'the session it comes from; then an agent says so')
    .addOption(
      new Option('--entry <entry>', 'the entry of that session, by number or id').argParser(parsePosition),
    )
    .addHelpText(
      'after',
      helpExamples(
        ['throughline memory add "Tests run with vitest"', 'in the project of this folder'],
        ['throughline memory add --decision "No ORM"', 'as a decision'],
        ['throughline memory add "CI needs Java 21" --session 1 --entry 42', 'with where it was said'],
      ),
    )
    .action(async (words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FactOptions>();
      await withProject(options, { write: true }, async (workplace) => {
        const { store, memory: room, project } = workplace;
        const source = await sourceOf(workplace, options);
        const list = options.decision ? 'decisions' : 'facts';
        const written = await room.addFact(store, project, words.join(' '), { source, list });
        await printWritten(written, options);
      });
    });

  memory
    .command('edit')
    .description('Say a fact anew. The old words stay in its history.')
    .argument('<fact>', FACT_ARGUMENT)
    .argument('<text...>', 'one line')
    .option('--by <name>', 'who says so (default: you)')
    .addHelpText(
      'after',
      helpExamples(['throughline memory edit 1a2b3c4d "The port is 9090"', 'supersedes 1a2b3c4d']),
    )
    .action(async (reference: string, words: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FactOptions>();
      await withProject(options, { write: true }, async (workplace) => {
        const { store, memory: room, project } = workplace;
        const { facts } = await room.readMemory(store, project);
        const fact = room.findFact(facts.values(), reference);
        const source = await sourceOf(workplace, options);
        const written = await room.editFact(store, project, fact, words.join(' '), { source });
        await printWritten(written, options);
      });
    });

  memory
    .command('retract')
    .description('Take a fact back. It stays in the history, with your reason.')
    .argument('<fact>', FACT_ARGUMENT)
    .option('--reason <text>', 'why')
    .option('--by <name>', 'who says so (default: you)')
    .addHelpText(
      'after',
      helpExamples(['throughline memory retract 1a2b3c4d --reason "moved to S3"', 'no longer so']),
    )
    .action(async (reference: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FactOptions>();
      await withProject(options, { write: true }, async (workplace) => {
        const { store, memory: room, project } = workplace;
        const { facts } = await room.readMemory(store, project);
        const fact = room.findFact(facts.values(), reference);
        const source = await sourceOf(workplace, options);
        const retracted = await room.retractFact(store, project, fact, {
          source,
          ...(options.reason !== undefined && { reason: options.reason }),
        });
        const { budget } = room.fitFacts(
          room.showFacts(await room.readMemory(store, project)),
          limitOf(project),
        );
        await (options.json
          ? printJson({ retracted: retracted.map(describeFact), budget })
          : printLines(renderRetracted(retracted, budget)));
      });
    });

  memory
    .command('history')
    .description('Show everything that happened to a fact, and to those it stands in for; or to all of them.')
    .argument('[fact]', FACT_ARGUMENT)
    .addHelpText(
      'after',
      helpExamples(
        ['throughline memory history 1a2b3c4d', 'who said it, what it said before'],
        ['throughline memory history', 'everything, oldest first'],
      ),
    )
    .action(async (reference: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FactOptions>();
      await withProject(options, { write: false }, async ({ store, app, memory: room, project }) => {
        const { showHistory } = await import('../../operations/memory/index.ts');
        const id =
          reference === undefined
            ? undefined
            : room.findFact((await room.readMemory(store, project)).facts.values(), reference).id;
        const history = await perform(showHistory, { project: project.id, id }, app);
        await (options.json
          ? printJsonList(printedBy(showHistory, 'memory history', history) as unknown[])
          : printLines(renderHistory(history.steps)));
      });
    });

  memory
    .command('budget')
    .description("Set how many tokens a project's facts may take in a context.")
    .argument('[tokens]', 'without it, what is usual again', parseCount)
    .addHelpText('after', helpExamples(['throughline memory budget 8000', 'for this project, from now on']))
    .action(async (tokens: number | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FactOptions>();
      await withProject(options, { write: true }, async ({ app, project }) => {
        const { setFactBudget } = await import('../../operations/memory/index.ts');
        const set = await perform(setFactBudget, { project: project.id, tokens }, app);
        await (options.json
          ? printJson(printedBy(setFactBudget, 'memory budget', set))
          : printLines(budgetLines(set.budget)));
      });
    });
}

async function printWritten(written: WrittenFact, { json }: FactOptions): Promise<void> {
  const { fact, project } = written;
  await (json
    ? printJson({ ...written, fact: describeFact(fact), project: describeProject(project) })
    : printLines(renderWritten(written)));
}

export function limitOf({ budget }: { readonly budget?: number }): { limit?: number } {
  return budget === undefined ? {} : { limit: budget };
}

/** A person at the keyboard, unless a session is named: then it is what an agent found out there. */
export async function sourceOf(
  { store, find }: ProjectWorkplace,
  { by, session, entry }: Pick<FactOptions, 'by' | 'session' | 'entry'>,
): Promise<FactSource> {
  if (session === undefined) return { by: 'person', name: by ?? userName() };
  const info: SessionInfo = await find(session);
  const { agent } = info.state.settings;
  const name = by ?? (agent ? agent.slice(0, 200) : undefined);
  const entries = entry === undefined ? undefined : [(await entryAt(store, info, entry)).id];
  return { by: 'agent', session: info.id, ...(name !== undefined && { name }), ...(entries && { entries }) };
}

function userName(): string {
  try {
    return userInfo().username || 'somebody';
  } catch {
    return 'somebody';
  }
}
