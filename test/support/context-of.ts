import { questionAhead, requestFor } from '../../src/agent/index.ts';
import type { Budget, BuiltContext, ContextTool, HeadPiece, Recalled } from '../../src/context/index.ts';
import type { Seq, SessionInfo } from '../../src/record/index.ts';
import { infoAt } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';

export interface ContextOfOptions {
  readonly budget: Budget;
  readonly head?: readonly HeadPiece[];
  readonly tools?: readonly ContextTool[];
  readonly recall?: readonly Recalled[];
  readonly model?: string;
  readonly at?: Seq;
  readonly question?: string;
}

/** The request for a session with this frame and no other: no project, no agent, no model that would have to be opened. */
export async function contextOf(
  store: Store,
  info: SessionInfo,
  {
    budget,
    head = [],
    tools = [],
    recall: recalled = [],
    model = '',
    at = info.head,
    question,
  }: ContextOfOptions,
): Promise<BuiltContext> {
  const then = await infoAt(store, info, at);
  const ahead = question === undefined ? [] : [questionAhead(question, { after: at })];
  const hidden = question === undefined ? 'cut' : [];
  const plan = { model, frame: { head, tools, limits: budget }, recalled, hidden, ahead } as const;
  return (await requestFor(store, then, plan)).context;
}
