import type { Budget, Recalled } from '../../context/index.ts';
import type { OpenedModel } from '../../models/index.ts';
import type { EntryId, Seq, SessionInfo } from '../../record/index.ts';
import { infoAt } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { questionAhead } from '../next-request.ts';
import { type Announced, type Elsewhere, requestFor } from './build-request.ts';

export interface RebuildOptions extends Pick<OpenedModel, 'limits'> {
  /** `provider:model`. */
  readonly model: string;
  readonly budget?: Partial<Budget>;
  readonly recalled?: readonly Recalled[];
  /** As if this were asked after the entry. */
  readonly question?: string | undefined;
  /** The id that the question will have. */
  readonly id?: EntryId | undefined;
  readonly elsewhere?: Elsewhere | undefined;
}

/**
 * What a model would have been sent after an entry, for where no answer says what was: with the log, the marks and the
 * system prompt of then. The agent and the project are left out, since the log does not say what they knew.
 */
export async function rebuildAt(
  store: Store,
  info: SessionInfo,
  at: Seq,
  { model, limits, budget = {}, recalled = [], question, id, elsewhere }: RebuildOptions,
): Promise<Announced> {
  const then = await infoAt(store, info, at);
  const ahead = question === undefined ? [] : [questionAhead(question, { after: then.head, id })];
  return requestFor(store, then, {
    model,
    around: { limits, budget, tools: [] },
    recalled,
    hidden: question === undefined ? 'cut' : [],
    ahead,
    ...(ahead[0] && { input: ahead[0].id }),
    elsewhere,
  });
}
