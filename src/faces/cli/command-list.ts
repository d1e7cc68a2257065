import type { Command } from 'commander';

type Adders = typeof import('./commands/index.ts');
type Adder = keyof Adders;
/** The function that adds a command, and the file that it is in. */
type Listed = { readonly [Name in Adder]: readonly [Name, () => Promise<Pick<Adders, Name>>] }[Adder];

/** By their headings in the help. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Listed>>>> = {
  'Talk and find:': {
    chat: ['addChatCommand', () => import('./commands/chat.ts')],
    sessions: ['addSessionsCommand', () => import('./commands/sessions.ts')],
    show: ['addShowCommand', () => import('./commands/show.ts')],
    search: ['addSearchCommand', () => import('./commands/search.ts')],
    overview: ['addOverviewCommand', () => import('./commands/overview.ts')],
  },
  'What the model sees:': {
    context: ['addContextCommand', () => import('./commands/context.ts')],
    compact: ['addCompactCommand', () => import('./commands/compact.ts')],
    expand: ['addExpandCommand', () => import('./commands/expand.ts')],
    collapse: ['addCollapseCommand', () => import('./commands/expand.ts')],
    checkpoint: ['addCheckpointCommand', () => import('./commands/checkpoint.ts')],
    pin: ['addPinCommand', () => import('./commands/pin.ts')],
  },
  'Branches:': {
    fork: ['addForkCommand', () => import('./commands/fork.ts')],
    lineage: ['addLineageCommand', () => import('./commands/lineage.ts')],
    diff: ['addDiffCommand', () => import('./commands/diff.ts')],
    merge: ['addMergeCommand', () => import('./commands/merge.ts')],
  },
  'Projects:': {
    memory: ['addMemoryCommand', () => import('./commands/memory.ts')],
    projects: ['addProjectsCommand', () => import('./commands/projects.ts')],
    work: ['addWorkCommand', () => import('./commands/work.ts')],
  },
  'Sessions of other agents:': {
    import: ['addImportCommand', () => import('./commands/import.ts')],
    export: ['addExportCommand', () => import('./commands/export.ts')],
    handoff: ['addHandoffCommand', () => import('./commands/handoff.ts')],
    'compact-file': ['addCompactFileCommand', () => import('./commands/compact-file.ts')],
    resume: ['addResumeCommand', () => import('./commands/resume.ts')],
    archive: ['addArchiveCommand', () => import('./commands/archive.ts')],
  },
  'Servers:': {
    serve: ['addServeCommand', () => import('./commands/serve.ts')],
    mcp: ['addMcpCommand', () => import('./commands/mcp.ts')],
  },
  'Order in the store:': {
    tag: ['addTagCommand', () => import('./commands/tag.ts')],
    title: ['addTitleCommand', () => import('./commands/title.ts')],
    hide: ['addHideCommand', () => import('./commands/hide.ts')],
    trash: ['addTrashCommand', () => import('./commands/trash.ts')],
    restore: ['addRestoreCommand', () => import('./commands/restore.ts')],
    purge: ['addPurgeCommand', () => import('./commands/purge.ts')],
    scrub: ['addScrubCommand', () => import('./commands/scrub.ts')],
    approvals: ['addApprovalsCommand', () => import('./commands/approvals.ts')],
    doctor: ['addDoctorCommand', () => import('./commands/doctor.ts')],
    config: ['addConfigCommand', () => import('./commands/config.ts')],
  },
};

export function isCommand(word: string): boolean {
  return Object.values(COMMANDS).some((commands) => Object.hasOwn(commands, word));
}

/** Adds the command that is called, or all of them. The files of the others are not loaded. */
export async function addCommands(program: Command, called: string | undefined): Promise<void> {
  const all = called === undefined ? await import('./commands/index.ts') : undefined;
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const [name, [adder, load]] of Object.entries(commands)) {
      if (all) all[adder](program);
      else if (name === called) ((await load()) as Adders)[adder](program);
    }
  }
}
