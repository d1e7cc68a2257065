import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { SessionInfo } from '../../record/index.ts';
import { getSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { App, Machine } from '../app.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { writeFiles } from '../write-files.ts';
import { gatherBriefing } from './gather-briefing.ts';

const Line = z.strictObject({ text: z.string(), entry: z.int().optional() });
const Items = z.array(Line).readonly();

const BriefingRecord = z.strictObject({
  session: z.string(),
  goal: z.strictObject({ title: z.string(), first: z.string().optional(), latest: Line.optional() }),
  open: Items,
  blockers: Items,
  decisions: Items,
  done: Items,
  facts: Items,
  files: z.array(z.strictObject({ path: z.string(), operations: z.array(z.string()).readonly() })).readonly(),
  pointers: z.array(z.strictObject({ command: z.string(), shows: z.string() })).readonly(),
});

export const handOver = operation({
  name: 'transcript/handoff',
  summary:
    'Hand a session over to another agent: the file is put where that agent looks, and the command to go on is printed. Nothing is overwritten.',
  fails: ['usage'],
  params: z.strictObject({
    session: SessionField,
    to: z.enum(['pi', 'claude-code', 'codex']),
    folder: z
      .string()
      .optional()
      .describe("The folder to go on in; that of the session's project unless given."),
    here: z.string().describe('The folder to go on in if the session has no project.'),
    briefing: z
      .boolean()
      .default(true)
      .describe('Goal, open items, decisions and pointers at the end of the file.'),
  }),
  result: z.strictObject({
    session: z.string(),
    to: z.string(),
    file: z.string(),
    project: z.string().describe('The folder to go on in.'),
    projectExists: z.boolean(),
    command: z.string().describe('The command that goes on.'),
    original: z.string().optional().describe('The file that the session came from; it is left as it is.'),
    leftOut: z.record(z.string(), z.int()).describe('Entries that the format has no place for, by kind.'),
    briefing: BriefingRecord,
  }),
  faces: { cli: { handoff: 'result' } },
  async run({ session: id, to, folder, here, briefing }, { store }: Machine & Pick<App, 'store'>) {
    const { exportSession, findOriginal, pathForAgent, placeForAgent, renderBriefing } = await import(
      '../../transcripts/index.ts'
    );
    const session = await getSession(store, id);
    const project = folder !== undefined ? path.resolve(folder) : ((await folderOf(store, session)) ?? here);
    const place = placeForAgent(to, { project });
    const original = await findOriginal(store, session, { agent: to, folder: place.folder });
    if (original && original.name === undefined)
      throw refused(
        'usage',
        `${original.file} is there already: the session came from that file, and nothing was said in it here. Go on with "${place.command(original.file)}".`,
      );
    const gathered = await gatherBriefing(store, session);
    const leftOut: Record<string, number> = {};
    const pieces = async function* () {
      const written = exportSession(store, session, {
        format: to,
        ...(original?.name !== undefined && { name: original.name }),
        ...(briefing && { briefing: renderBriefing(gathered) }),
        onLeftOut: ({ body }) => {
          leftOut[body.kind] = (leftOut[body.kind] ?? 0) + 1;
        },
      });
      for await (const { file, text } of written) yield { file: pathForAgent(to, file), text };
    };
    const [written] = await writeFiles(pieces(), {
      out: place.folder,
      force: false,
      several: true,
      taken: (file) =>
        refused(
          'usage',
          `${file} is there already: the session was handed over before, and is gone on with by "${place.command(file)}". Move that file away to hand it over anew.`,
        ),
    });
    if (!written)
      throw refused(
        'usage',
        `Nothing was written: nothing was said in ${session.id} that a file of ${to} could hold. With its briefing it can be handed over.`,
      );
    return {
      session: session.id,
      to,
      file: written.path,
      project,
      projectExists: existsSync(project),
      command: place.command(written.path),
      ...(original && { original: original.file }),
      leftOut,
      briefing: gathered,
    };
  },
});

/** The folder of the session's project today; a session may also name the folder itself, or neither. */
async function folderOf(store: Store, session: SessionInfo): Promise<string | undefined> {
  const { project: known } = session.state.settings;
  if (known !== undefined && path.isAbsolute(known)) return known;
  const memory = await import('../../project/index.ts');
  const project = await memory.projectOfSession(store, session);
  return project && memory.folderOf(project);
}
