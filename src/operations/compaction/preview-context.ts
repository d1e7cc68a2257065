import { z } from 'zod';
import { previewCompaction } from '../../compaction/index.ts';
import { openSession } from '../../session/index.ts';
import type { App } from '../app.ts';
import { CompactionNotice } from '../fields.ts';
import { operation } from '../operation.ts';
import { Covers, Kept } from '../records/compaction-record.ts';
import type { TurnApp } from '../turn-app.ts';
import { AskedFields, settingsOf } from './compaction-choices.ts';
import { Foretold, foretellCost } from './foretell-cost.ts';
import { measureLoad } from './measure-load.ts';

const Amount = z.strictObject({ messages: z.int(), tokens: z.int() });

const Preview = z.strictObject({
  covers: Covers,
  summarised: z.strictObject({ messages: z.int(), compactions: z.int(), tokens: z.int() }),
  kept: Kept,
  leftOut: Amount,
  summaryTokens: z.int().describe('At most.'),
  merges: z.int().describe('How many summaries would be merged after it.'),
  savedTokens: z.int().describe('At least, about.'),
  ...Foretold,
  notice: CompactionNotice,
});

export const previewContext = operation({
  name: 'ai/context/preview',
  summary:
    'Foretells the outcome of `ai/context/compact` with the same parameters, before anything is spent.',
  fails: ['nothing-to-compact'],
  params: z.strictObject(AskedFields),
  result: Preview,
  faces: { rpc: true, cli: { 'compact --preview': 'result' } },
  async run(params, app: App & Partial<Pick<TurnApp, 'compaction'>>) {
    const { store } = app;
    const { chatSessionId, range } = params;
    const info = await app.find(chatSessionId);
    const settings = settingsOf(info, params, app);
    await using session = await openSession(store, info.id, { mode: 'read' });
    const { load, chosen } = await measureLoad(info, app);
    const preview = await previewCompaction(session, {
      settings,
      ...(!range && settings.keep.share !== undefined && load && { load }),
      ...(range && { range }),
    });
    const { covers, summarised, kept, leftOut, summaryTokens, merges } = preview;
    const savedTokens = Math.max(0, summarised.tokens - summaryTokens);
    const { compactionNotice } = await import('../agent-sdk/compaction-notice.ts');
    const notice = await compactionNotice(store, info);
    return {
      covers,
      summarised,
      kept: { ...kept },
      leftOut,
      summaryTokens,
      merges,
      savedTokens,
      ...(load && chosen && (await foretellCost(load, { chosen, preview, app }))),
      ...notice,
    };
  },
});
