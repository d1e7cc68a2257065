import { z } from 'zod';
import { previewCompaction } from '../../compaction/index.ts';
import { openSession } from '../../session/index.ts';
import { CompactionNotice } from '../fields.ts';
import { operation } from '../operation.ts';
import { Covers } from '../records/compaction-record.ts';
import { AskedFields, settingsOf } from './compaction-choices.ts';

const Amount = z.strictObject({ messages: z.int(), tokens: z.int() });

const Preview = z.strictObject({
  covers: Covers,
  summarised: z.strictObject({ messages: z.int(), compactions: z.int(), tokens: z.int() }),
  kept: Amount,
  leftOut: Amount,
  summaryTokens: z.int().describe('At most.'),
  merges: z.int().describe('How many summaries would be merged after it.'),
});

export const previewContext = operation({
  name: 'ai/context/preview',
  summary: 'What `ai/context/compact` with the same parameters would do, before anything is spent.',
  params: z.strictObject(AskedFields),
  result: Preview.extend({
    savedTokens: z.int().describe('At least, about.'),
    notice: CompactionNotice,
  }),
  faces: {
    rpc: true,
    cli: {
      'compact --preview': { schema: Preview, of: ({ savedTokens: _, notice: __, ...preview }) => preview },
    },
  },
  async run(params, { store, find }) {
    const { chatSessionId, range } = params;
    const info = await find(chatSessionId);
    await using session = await openSession(store, info.id, { mode: 'read' });
    const preview = await previewCompaction(session, {
      settings: settingsOf(info, params),
      ...(range && { range }),
    });
    const { covers, summarised, kept, leftOut, summaryTokens, merges } = preview;
    const savedTokens = Math.max(0, summarised.tokens - summaryTokens);
    const { compactionNotice } = await import('../agent-sdk/compaction-notice.ts');
    const notice = await compactionNotice(store, info);
    return { covers, summarised, kept, leftOut, summaryTokens, merges, savedTokens, ...notice };
  },
});
