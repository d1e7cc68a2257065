import { z } from 'zod';
import { approveDraft, discardDraft } from '../../compaction/index.ts';
import { EntryIdField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  Answer,
  answerOf,
  type CompactingApp,
  SdkField,
  WriterFields,
  writingOptions,
} from './compact-context.ts';

const DraftFields = {
  chatSessionId: SessionField,
  draft: EntryIdField.optional().describe(
    'The version that was looked at; another one is refused as `compaction-stale`.',
  ),
};

export const approveContextDraft = operation({
  name: 'ai/context/draft/approve',
  summary:
    'Puts the draft summary into effect as it stands. If the entries that it stands for have changed since it was made it is refused as `compaction-stale`, and kept. Its cost is in the ledger once, with the draft.',
  writes: true,
  fails: ['compaction-stale', 'entry-not-found', 'summary-rejected'],
  params: z.strictObject({
    ...DraftFields,
    ...WriterFields,
    newSdkSession: SdkField,
  }),
  result: Answer,
  faces: { rpc: true, chat: ['compact'], cli: { 'compact --approve': 'result' } },
  async run({ chatSessionId, draft, newSdkSession, ...params }, app: CompactingApp, request) {
    const info = await app.find(chatSessionId);
    const { problem, ...options } = await writingOptions(info, params, app, request);
    const result = await app.sessions.use(info.id, (session) =>
      approveDraft(session, { ...options, ...(draft !== undefined && { draft }) }),
    );
    return answerOf(result, { info, problem, newSdkSession }, app);
  },
});

export const discardContextDraft = operation({
  name: 'ai/context/draft/discard',
  summary: 'Takes the draft summary away. The context stays as it is, and its cost stays in the ledger.',
  writes: true,
  fails: ['compaction-stale', 'entry-not-found'],
  params: z.strictObject(DraftFields),
  result: z.strictObject({ discarded: z.literal(true) }),
  faces: { rpc: true, cli: { 'compact --discard': 'result' } },
  async run({ chatSessionId, draft }, { sessions, find }) {
    const { id } = await find(chatSessionId);
    await sessions.use(id, (session) => discardDraft(session, draft === undefined ? {} : { draft }));
    return { discarded: true as const };
  },
});
