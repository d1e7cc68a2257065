import { z } from 'zod';
import type { SessionInfo } from '../../record/index.ts';
import { titleInChain } from '../../session/index.ts';
import type { App } from '../app.ts';
import { FolderField } from '../fields.ts';
import { operation } from '../operation.ts';

const PAGE = 50;

export const listCandidatesOperation = operation({
  name: 'session/candidates',
  summary:
    'The sessions that something was said in, newest first, and which of them belong to the project of a folder.',
  params: z.strictObject({ folder: FolderField, cursor: z.string().optional() }),
  result: z.strictObject({
    sessions: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        updatedAt: z.number(),
        messages: z.int(),
        own: z.boolean().describe('It belongs to the project.'),
      }),
    ),
    cursor: z.string().optional(),
  }),
  faces: { chat: ['start'] },
  async run({ folder, cursor }, { store }) {
    const page = await store.list({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    const isOwn = await projectCheck(store, folder);
    const spoken = page.sessions.filter(
      ({ totals, state }) => totals.messages > 0 || state.restoration !== undefined,
    );
    const sessions = spoken.map(async (info) => ({
      id: info.id,
      title: await titleInChain(store, info),
      updatedAt: info.updatedAt,
      messages: info.totals.messages,
      own: await isOwn(info),
    }));
    return {
      sessions: await Promise.all(sessions),
      ...(page.cursor !== undefined && { cursor: page.cursor }),
    };
  },
});

/** Looked up once for each label: most sessions share one. */
async function projectCheck(store: App['store'], folder: string) {
  const { placeFolder, projectOfSession } = await import('../../project/index.ts');
  const { project } = await placeFolder(store, folder);
  const known = new Map<unknown, Promise<boolean>>();
  return (info: SessionInfo): boolean | Promise<boolean> => {
    const label = info.state.settings.project;
    if (label === project.id || project.folders.some(({ path }) => path === label)) return true;
    const isOwn = known.get(label) ?? projectOfSession(store, info).then((own) => own?.id === project.id);
    known.set(label, isOwn);
    return isOwn;
  };
}
