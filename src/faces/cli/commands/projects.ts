import type { Command } from 'commander';
import { perform, printedBy } from '../../../operations/index.ts';
import { openStore } from '../../../store/index.ts';
import { chooseStore } from '../choose-store.ts';
import { helpExamples } from '../help-text.ts';
import { keepLastList } from '../last-list.ts';
import { renderProject, renderProjectTable } from '../render/project-table.ts';
import { renderSessionTable } from '../render/session-table.ts';
import { dimNote } from '../terminal/paint.ts';
import { note, printJson, printJsonList, printLines } from '../terminal/print.ts';
import { visibleLine } from '../terminal/visible-text.ts';
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
      await withStore(options, async ({ app }) => {
        const { listProjectsOperation: listProjects, toSurveyed } = await import(
          '../../../operations/project/index.ts'
        );
        const listed = await perform(listProjects, {}, app);
        if (options.json) return printJsonList(printedBy(listProjects, 'projects', listed) as unknown[]);
        const surveyed = listed.projects.map(toSurveyed);
        if (surveyed.length === 0) return note(dimNote('No projects yet: no session names one.'));
        await printLines(renderProjectTable(surveyed));
        const gone = surveyed.find(({ there, folders }) => !there && folders.length > 0);
        if (gone)
          note(
            dimNote(
              `Moved? In its new folder: throughline projects link ${visibleLine(gone.id ?? gone.name)}`,
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
      await withStore(options, async ({ app, choice }) => {
        const { showProject } = await import('../../../operations/project/index.ts');
        const shown = await perform(showProject, { project: reference }, app);
        if (options.json) return printJson(printedBy(showProject, 'projects show', shown));
        const { project, sessions } = shown;
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
              sessions.map((session) => ({ session })),
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
      await withStore(options, async ({ app }) => {
        const { linkProject } = await import('../../../operations/project/index.ts');
        const linked = await perform(linkProject, { project: reference, to: folder }, app);
        const { was, project } = linked;
        if (was)
          note(dimNote(`It was ${was}, which keeps what is known: throughline memory --project ${was}`));
        await (options.json
          ? printJson(printedBy(linkProject, 'projects link', linked))
          : printLines(renderProject(project)));
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
      await withStore(options, async ({ app }) => {
        const { addProject } = await import('../../../operations/project/index.ts');
        const added = await perform(addProject, { folder: folder ?? process.cwd() }, app);
        await (options.json
          ? printJson(printedBy(addProject, 'projects add', added))
          : printLines(renderProject(added.project)));
      });
    });
}
