import { z } from 'zod';
import {
  type CompactionPreview,
  foretell,
  type Load,
  previewCompaction,
  type SummaryWriter,
} from '../../compaction/index.ts';
import type { ChosenModel } from '../../models/index.ts';
import { openSession } from '../../session/index.ts';
import type { App } from '../app.ts';
import { CompactionNotice } from '../fields.ts';
import { operation } from '../operation.ts';
import { Covers, Kept } from '../records/compaction-record.ts';
import type { TurnApp } from '../turn-app.ts';
import { AskedFields, settingsOfSummary } from './compaction-choices.ts';
import { measureLoad } from './measure-load.ts';

const Dollars = z.number().describe('US dollars.');

/** What a preview says of size and money. */
const Foretold = {
  context: z
    .strictObject({ before: z.int(), after: z.int().describe('At most, about.') })
    .optional()
    .describe('Tokens of the context before and after, as the meter counts them.'),
  cost: z
    .strictObject({
      model: z.string().describe('The model that answers, whose prices these are.'),
      cold: z.boolean().describe('The cache of the provider has expired: the next request is paid in full.'),
      turn: z
        .strictObject({ before: Dollars, after: Dollars })
        .describe('The next turn as it is, and one behind it.'),
      writers: z.array(
        z.strictObject({
          by: z.enum(['digest', 'model', 'cheaper', 'provider']),
          model: z.string().optional(),
          summary: Dollars,
          cost: Dollars.describe('US dollars, with what the provider has to read anew.'),
          pays: z.int().optional().describe('Turns until it has paid for itself; absent if it never does.'),
        }),
      ),
    })
    .nullable()
    .optional()
    .describe('What it costs and saves; `null` if the price of the model is unknown.'),
};
const Shape = z.object(Foretold);

/** What the compaction of a preview does to the context, and what it costs by each that may write the summary. */
async function foretellCost(
  load: Load,
  {
    chosen,
    preview: { summarised, summaryTokens },
    app,
  }: { chosen: ChosenModel; preview: CompactionPreview; app: App & Partial<Pick<TurnApp, 'compaction'>> },
): Promise<z.output<typeof Shape>> {
  const { tokens, fixed = 0, scale = 1, money } = load;
  const range = Math.round(summarised.tokens * scale);
  const summary = Math.min(range, Math.round(summaryTokens * scale));
  const after = Math.max(0, tokens - range + summary);
  const context = { before: tokens, after };
  if (!money) return { context, cost: null };
  const sizes = { context: tokens, range, head: fixed, summary, after };
  const { turn, cold, writers } = foretell(money, sizes, await writersFor(chosen, app));
  return {
    context,
    cost: { model: chosen.id, cold, turn: { ...turn }, writers: writers.map((one) => ({ ...one })) },
  };
}

async function writersFor(
  { id, provider }: ChosenModel,
  { env, compaction }: App & Partial<Pick<TurnApp, 'compaction'>>,
): Promise<SummaryWriter[]> {
  const { cheaperModel } = await import('../../models/index.ts');
  const { SUMMARISE_THEMSELVES } = await import('../../agent/index.ts');
  const { priceOf } = await import('../../tokens/index.ts');
  const standing = compaction?.summariser ?? env.THROUGHLINE_SUMMARY_MODEL;
  const named = typeof standing === 'string' && standing !== 'digest' ? standing : undefined;
  const cheaper = named ?? cheaperModel(provider);
  const price = cheaper === undefined || cheaper === id ? undefined : priceOf(cheaper);
  return [
    { by: 'digest', at: 'digest' },
    { by: 'model', model: id, at: 'chat' },
    ...(cheaper !== undefined && price ? [{ by: 'cheaper', model: cheaper, at: price } as const] : []),
    ...(SUMMARISE_THEMSELVES.includes(provider) ? [{ by: 'provider', model: id, at: 'chat' } as const] : []),
  ];
}

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
    const settings = settingsOfSummary(info, params, app);
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
