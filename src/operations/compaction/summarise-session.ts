import { z } from 'zod';
import { noteUnused, type RangeDraft } from '../../compaction/index.ts';
import { isThroughlineError } from '../../errors.ts';
import { addUsage, NO_USAGE, type SessionId, Summary, type Usage } from '../../record/index.ts';
import { readClosingSummary } from '../../session/index.ts';
import type { App } from '../app.ts';
import { Failure, failureOfOperation } from '../failure.ts';
import { ModelField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { SummaryFailure } from '../records/compaction-record.ts';
import { openSummariser } from '../transcript/open-summariser.ts';
import { withAgentInstructions } from './agent-instructions.ts';
import { draftClosingSummary, writeClosingSummary } from './closing-summary.ts';

export const summariseSession = operation({
  name: 'session/summarise',
  summary:
    'The state that a session ended in, as a summary: the one that it was left with, or one that is made now from its messages and kept in the session.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField,
    model: ModelField.optional().describe('Who writes it; the embedded digest unless given.'),
    keep: z
      .enum(['must', 'may'])
      .describe(
        '`must`: afterwards the session has it, also if the digest stood in for the model, or the run fails. `may`: a summary of a digest that stood in is not kept, and a session that cannot be written is answered with `notKept`.',
      ),
  }),
  result: z.strictObject({
    summary: Summary.optional().describe('Absent if there are no messages.'),
    kept: z.boolean().describe('True if the session has it now.'),
    failures: z.array(SummaryFailure),
    tokens: z.int().optional().describe('That the calls of the model took, as reported, used or not.'),
    notKept: Failure.optional().describe('Why it could not be written.'),
  }),
  faces: { chat: ['compact', 'resume', 'exit'] },
  async run({ sessionId, model, keep }, app, { stop, modelTimeoutMs, onProgress }) {
    const info = await app.find(sessionId);
    const left = await readClosingSummary(app.store, info);
    if (left) return { summary: left, kept: true, failures: [] };
    onProgress?.({ done: 0, total: 1 });
    const of = { store: app.store, info };
    const { summariser: writer } = await openSummariser(model, undefined, { orDigest: false, of });
    const summariser = await withAgentInstructions(writer, info, {});
    let spent = NO_USAGE;
    const bill = (reason: string) =>
      noteSpent(app, info.id, { usage: spent, model: summariser?.name, reason });
    const draft = await draftClosingSummary(app.store, info, {
      summariser,
      timeoutMs: modelTimeoutMs,
      signal: stop,
      onUsage: (usage) => {
        spent = addUsage(spent, usage);
      },
    }).catch(async (error: unknown) => {
      await bill((error as Error).message);
      throw error;
    });
    if (!draft) return { kept: false, failures: [] };
    const { inputTokens, outputTokens } = spent;
    const drafted = {
      summary: draft.summary,
      failures: draft.failures.map((failure) => ({ ...failure })),
      ...(inputTokens + outputTokens > 0 && { tokens: inputTokens + outputTokens }),
    };
    if (keep === 'may' && draft.failures.length > 0) {
      await bill(draft.failures.at(-1)!.reason);
      return { ...drafted, kept: false };
    }
    try {
      await write(app, info.id, draft);
    } catch (error) {
      await bill((error as Error).message);
      if (keep === 'must' || !isThroughlineError(error)) throw error;
      return { ...drafted, kept: false, notKept: failureOfOperation(error) };
    }
    return { ...drafted, kept: true };
  },
});

function write({ sessions }: App, id: SessionId, draft: RangeDraft): Promise<void> {
  return sessions.use(id, (session) => writeClosingSummary(session, draft));
}

/** Calls whose summary is not in the session are in its ledger all the same. */
async function noteSpent(
  { sessions }: App,
  id: SessionId,
  { usage, model, reason }: { usage: Usage; model: string | undefined; reason: string },
): Promise<void> {
  if (usage.inputTokens + usage.outputTokens === 0) return;
  try {
    await sessions.use(id, (session) => noteUnused(session, { usage, model }, reason));
  } catch (error) {
    // Another program may be writing in it: why there is no summary is the answer all the same.
    if (!isThroughlineError(error)) throw error;
  }
}
