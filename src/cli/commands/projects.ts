import type { Command } from 'commander';
import { isThroughlineError } from '../../errors.ts';
import type { Project } from '../../memory/index.ts';
import { describeSession } from '../../session/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { chooseStore } from '../choose-store.ts';
import { helpExamples } from '../help-text.ts';
import { keepLastList } from '../last-list.ts';
import { describeProject } from '../render/describe-fact.ts';
import { renderProject, renderProjectTable } from '../render/project-table.ts';
import { renderSessionTable, toListed } from '../render/session-table.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printJsonList, printLines } from '../terminal/print.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import { type GlobalOptions, withStore } from '../with-store.ts';

const PROJECT_ARGUMENT = 'an id or the start of one, a name, a folder, or what sessions call it';

export function addProjectsCommand(program: Command): void {
  const projects = program
    .command('projects')
    .description(
      'List projects: where they are, how many sessions they have, and whether their folder is still there.',
    )
    .addHelpText(
      'after',
      helpExamples(
        ['throughline projects', 'all of them, the one used last first'],
        ['throughline projects link shop', 'the project "shop" is in this folder now'],
        ['throughline projects show shop', 'its folders and its sessions'],
      ),
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, async ({ store }) => {
        const memory = await import('../../memory/index.ts');
        const surveyed = await memory.surveyProjects(store);
        if (options.json)
          return printJsonList(
            surveyed.map(({ project, ...used }) => ({ ...describeProject(project), ...used })),
          );
        if (surveyed.length === 0) return note(dimNote('No projects yet: no session names one.'));
        await printLines(renderProjectTable(surveyed));
        const gone = surveyed.find(({ there, project }) => !there && project.folders.length > 0);
        if (gone)
          note(
            dimNote(
              `Moved? In its new folder: throughline projects link ${visibleLine(nameOf(gone.project))}`,
            ),
          );
      });
    });

  projects
    .command('show')
    .description('Show a project: its folders, and its sessions, numbered for the next command.')
    .argument('<project>', PROJECT_ARGUMENT)
    .addHelpText('after', helpExamples(['throughline projects show shop', 'everything said in it']))
    .action(async (reference: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, async ({ store, choice }) => {
        const memory = await import('../../memory/index.ts');
        const project = await memory.findProject(store, reference);
        const sessions = await memory.sessionsOf(store, project);
        if (options.json)
          return printJson({ ...describeProject(project), sessions: sessions.map(describeSession) });
        const numbered =
          choice.exists &&
          keepLastList(
            choice.location,
            sessions.map(({ id }) => id),
          );
        await printLines(renderProject(project));
        if (sessions.length > 0)
          await printLines([
            '',
            ...renderSessionTable(
              sessions.map((session) => ({ session: toListed(session) })),
              { numbered },
            ),
          ]);
      });
    });

  projects
    .command('link')
    .description(
      'Say where a project is now. It keeps its sessions and what is known about it; a folder that is gone counts as left.',
    )
    .argument('<project>', PROJECT_ARGUMENT)
    .argument('[folder]', 'where it is (default: here), or what sessions call it')
    .addHelpText(
      'after',
      helpExamples(
        ['throughline projects link shop', 'it was moved here'],
        ['throughline projects link shop ~/copies/shop', 'a second copy shares what the first knows'],
        ['throughline projects link shop old-shop', 'sessions that say "old-shop" belong to it'],
      ),
    )
    .action(async (reference: string, folder: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await withStore(options, async ({ store }) => {
        const memory = await import('../../memory/index.ts');
        const project = await memory.findProject(store, reference);
        const linked = await link(store, project, folder);
        await (options.json ? printJson(describeProject(linked)) : printLines(renderProject(linked)));
      });
    });

  projects
    .command('add')
    .description('Make a folder a project of its own, also if it looks like one that was moved.')
    .argument('[folder]', 'its folder (default: the project this folder is in)')
    .addHelpText(
      'after',
      helpExamples(['throughline projects add', 'this is a new project, not the moved one']),
    )
    .action(async (folder: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { location, exists } = chooseStore(options.store);
      if (!exists) await (await openStore(location))[Symbol.asyncDispose]();
      await withStore(options, async ({ store }) => {
        const memory = await import('../../memory/index.ts');
        const { project } = await memory.placeFolder(store, folder ?? process.cwd());
        const opened = await memory.openProject(store, project);
        await (options.json ? printJson(describeProject(opened)) : printLines(renderProject(opened)));
      });
    });
}

/** A folder that is there is linked; anything else has to be what sessions call their project. */
async function link(store: Store, project: Project, named: string | undefined): Promise<Project> {
  const memory = await import('../../memory/index.ts');
  const folder = memory.folderToLink(named);
  if (folder !== undefined) {
    const { project: before } = await memory.placeFolder(store, folder);
    if (before.known && before.id !== project.id && memory.folderOf(before) === folder)
      note(
        dimNote(`It was ${before.id}, which keeps what is known: throughline memory --project ${before.id}`),
      );
    return memory.linkFolder(store, project, folder);
  }
  try {
    const labelled = await memory.findProject(store, named!);
    if (!labelled.known) return await memory.linkLabel(store, project, named!);
    throw usageError(
      `"${named}" is project ${labelled.id}, with a memory of its own. Two projects cannot be made one.`,
    );
  } catch (error) {
    if (!isThroughlineError(error, 'project-not-found')) throw error;
    throw usageError(`"${named}" is no folder, and no session calls its project so.`);
  }
}

function nameOf({ known, id, name }: Project): string {
  return known ? id : name;
}
