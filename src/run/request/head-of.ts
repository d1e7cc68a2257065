import type { HeadPiece } from '../../context/index.ts';
import type { InstructionReader } from '../../memory/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';

export interface HeadOptions {
  /** Tokens of the model's window: instructions and facts take a share of a small one. */
  readonly window?: number | undefined;
  /**
   * The folder that a person works in. Its instruction files count for a session of its project, and for one whose
   * project has no folder. The files of any other session are those of its own project.
   */
  readonly folder?: string | undefined;
  /** Keep one between calls: then files that have not changed are not read again. */
  readonly reader?: InstructionReader | undefined;
}

/**
 * What stands in front of every request of a session, behind the agent's instructions: the session's system prompt, the
 * project's instructions and its facts. A project that cannot be read must not keep a message from being written down.
 */
export async function headOf(
  store: Store,
  info: SessionInfo,
  { window, folder, reader }: HeadOptions = {},
): Promise<readonly HeadPiece[]> {
  const system = systemPiece(info);
  try {
    const { memoryHead } = await import('../../memory/index.ts');
    const place = await placeOf(store, info, folder);
    if (!place) return system;
    const { pieces } = await memoryHead(store, {
      ...place,
      ...(window !== undefined && { window }),
      ...(reader && { reader }),
    });
    return [...system, ...pieces];
  } catch {
    return system;
  }
}

/** The session's own system prompt, if it has one. */
export function systemPiece({ state }: Pick<SessionInfo, 'state'>): readonly HeadPiece[] {
  const { systemPrompt } = state.settings;
  return systemPrompt ? [{ part: 'system', text: systemPrompt }] : [];
}

async function placeOf(store: Store, info: SessionInfo, folder: string | undefined) {
  const { folderOf, placeFolder, projectOfSession } = await import('../../memory/index.ts');
  const project = await projectOfSession(store, info);
  if (!project) return folder === undefined ? undefined : { folder };
  if (folder === undefined) return { project };
  const here = await placeFolder(store, folder);
  return here.project.id === project.id || folderOf(project) === undefined
    ? { project, folder }
    : { project };
}
