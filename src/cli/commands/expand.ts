import type { Command } from 'commander';
import type { CompactionDescription } from '../../compaction/index.ts';
import type { Entry } from '../../record/index.ts';
import { collapseCompactions, expandCompactions, openSession, type Session } from '../../session/index.ts';
import { helpExamples, SESSION_ARGUMENT } from '../help-text.ts';
import { renderCompactions, renderStanding } from '../render/render-compactions.ts';
import { printJson, printLines } from '../terminal/print.ts';
import { type GlobalOptions, type Workplace, withStore } from '../with-store.ts';

const VERBS = {
  expand: {
    about: 'Put what a compaction covers back into the context. Without one, list the compactions.',
    mark: expandCompactions,
  },
  collapse: {
    about: 'Hide what a compaction covers behind its summary again. Without one, list the compactions.',
    mark: collapseCompactions,
  },
} as const;

export const addExpandCommand = (program: Command) => addVerb(program, 'expand');
export const addCollapseCommand = (program: Command) => addVerb(program, 'collapse');

function addVerb(program: Command, verb: keyof typeof VERBS): void {
  program
    .command(verb)
    .description(VERBS[verb].about)
    .argument('<session>', SESSION_ARGUMENT)
    .argument('[compaction]', 'its number in the list, its id, or the start of it')
    .addHelpText(
      'after',
      helpExamples(
        [`throughline ${verb} 1`, 'the compactions of a session'],
        [`throughline ${verb} 1 2`, `${verb} the second one`],
      ),
    )
    .action(async (reference: string, compaction: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, (workplace) =>
        run(workplace, { verb, reference, compaction, json: options.json === true }),
      );
    });
}

async function run(
  { store, find }: Workplace,
  {
    verb,
    reference,
    compaction,
    json,
  }: { verb: keyof typeof VERBS; reference: string; compaction: string | undefined; json: boolean },
): Promise<void> {
  const { findCompaction, listCompactions } = await import('../../compaction/index.ts');
  const info = await find(reference);
  if (compaction === undefined) {
    const all = await listCompactions(store, info);
    return json ? printJson(all) : printLines(renderCompactions(info.id, all));
  }
  const chosen = await findCompaction(store, info, compaction);
  await using session: Session = await openSession(store, info.id, { mode: 'join' });
  const marks = await VERBS[verb].mark(session, { entry: chosen.id });
  const all = await listCompactions(store, await session.refresh());
  const after: CompactionDescription = all.find(({ id }) => id === chosen.id)!;
  const also = all.filter(({ id }) => id !== chosen.id && marks.some((mark) => isAbout(mark, id)));
  await (json ? printJson(after) : printLines([renderStanding(after, all), ...also.map(sayOpened)]));
}

function isAbout({ body }: Entry, id: string): boolean {
  return body.kind === 'mark' && 'entry' in body.target && body.target.entry === id;
}

function sayOpened({ number }: CompactionDescription): string {
  return `Compaction ${number}, which covers it, is expanded with it.`;
}
