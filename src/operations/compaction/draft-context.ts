import { z } from 'zod';
import { draftCompaction, readDraft } from '../../compaction/index.ts';
import { operation } from '../operation.ts';
import { DraftRecord, toDraft } from '../records/draft-record.ts';
import { Answer, type CompactingApp, optionsFor, Params, tellWriter } from './compact-context.ts';

export const draftContext = operation({
  name: 'ai/context/draft',
  summary:
    'Writes the summary that `ai/context/compact` with the same parameters would put into effect, and keeps it as the draft of the session, to be looked at, changed and approved. The context stays as it is. A draft that there is and that is not stale is shown as it is.',
  writes: true,
  fails: ['nothing-to-compact'],
  params: Params.omit({ newSdkSession: true }).extend({
    again: z.boolean().default(false).describe('Written anew, in the place of the draft that there is.'),
  }),
  result: z.strictObject({
    draft: DraftRecord,
    made: z.boolean().describe('False if it was there already.'),
    replaced: z.boolean().describe('True if it took the place of one that was there, stale for instance.'),
    modelProblem: Answer.shape.modelProblem,
  }),
  faces: { rpc: true, chat: ['compact'], cli: { 'compact --review': 'result' } },
  async run({ again, ...params }, app: CompactingApp, request) {
    const info = await app.find(params.chatSessionId);
    return app.sessions.use(info.id, async (session) => {
      const known = await readDraft(session);
      if (known && !known.isStale && !again) return { draft: toDraft(known), made: false, replaced: false };
      const { problem, options } = await optionsFor(info, params, app, request);
      tellWriter(options, request);
      const draft = toDraft(await draftCompaction(session, options));
      return {
        draft,
        made: true,
        replaced: known !== undefined,
        ...(problem !== undefined && { modelProblem: problem }),
      };
    });
  },
});
