import { existsSync } from 'node:fs';
import { z } from 'zod';
import { chooseFor, contextFor, countSession, rememberedAgent } from '../../agent/index.ts';
import { answering, modelSettings, rememberedReference } from '../../models/index.ts';
import { Summary, Usage } from '../../record/index.ts';
import { mirrorFile, resumeSession } from '../../session/index.ts';
import { FolderField, ModelField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { labelFolder } from '../project/label-folder.ts';
import { AgentField, NewId } from '../session/label-fields.ts';
import { acknowledge } from './acknowledge.ts';

export const resumeFromSummary = operation({
  name: 'session/resume',
  summary:
    'Starts a new session from the summary of an older one, and from nothing before it. The agent reads the summary and acknowledges it; the call is counted, and is no question.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField.describe('The session before.'),
    summary: Summary,
    folder: FolderField,
    agent: AgentField.optional(),
    model: ModelField.describe('Which answers.'),
    keep: z
      .enum(['named', 'current'])
      .optional()
      .describe(
        '`named`: the new session is set to the model. `current`: it is where the session before names none.',
      ),
    window: z.number().positive().optional(),
  }),
  result: z.strictObject({
    id: NewId,
    acknowledgement: z.strictObject({ text: z.string(), usage: Usage.optional() }).optional(),
    problem: z
      .string()
      .optional()
      .describe('Why the agent did not acknowledge. The summary is there all the same.'),
  }),
  faces: { chat: ['compact', 'resume'] },
  async run({ sessionId, summary, folder, agent: named, model: asked, keep, window }, app, { stop }) {
    const { store } = app;
    const parent = await app.find(sessionId);
    const { settings } = parent.state;
    const agent = (named && (await rememberedAgent({ agentPath: named.path })).agent) ?? false;
    const model = answering((await chooseFor(parent, { model: asked, agent })).chosen);
    const { backend, location } = store.facts;
    const file = backend === 'sqlite' ? mirrorFile(location, parent.id) : undefined;
    const counts = await countSession(store, parent);
    const instructions = async () => {
      // The new session belongs to the folder if the one before it belongs to none.
      const place = settings.project === undefined ? { folder } : {};
      const around = { ...place, model, agent, window, recall: false } as const;
      return (await contextFor(store, parent.id, around)).context.instructions || undefined;
    };
    // Acknowledged first and written with the new session, so that neither is there alone.
    const { acknowledgement, problem } = await acknowledge(
      { parent, summary, counts, ...(file !== undefined && { file }) },
      { model: model.opened, instructions, signal: stop },
    );
    const isKept = keep === 'named' || (keep === 'current' && rememberedReference(settings) === undefined);
    await using session = await resumeSession(store, parent, {
      summary,
      counts,
      ...(acknowledgement && { acknowledgement }),
      birth: {
        ...(named && { agent: named.name }),
        settings: {
          ...(settings.project === undefined && { project: await labelFolder(store, folder) }),
          // Where the parent was imported from, and the messages that wait in it, are the parent's.
          source: null,
          waiting: null,
          ...(settings.agentPath !== undefined && { agentPath: null }),
          ...(named && { agentPath: named.path }),
          ...(isKept && modelSettings({ model: asked }, keep === 'named' ? settings : {})),
        },
      },
      mode: 'join',
    });
    if (file !== undefined && !existsSync(file)) {
      const { writeMirror } = await import('../../transcripts/index.ts');
      await writeMirror(store, parent, { location }).catch(() => {});
    }
    return {
      id: session.id,
      ...(acknowledgement && {
        acknowledgement: {
          text: acknowledgement.parts.map(({ text }) => (typeof text === 'string' ? text : '')).join(''),
          ...(acknowledgement.usage && { usage: acknowledgement.usage }),
        },
      }),
      ...(problem !== undefined && { problem }),
    };
  },
});
