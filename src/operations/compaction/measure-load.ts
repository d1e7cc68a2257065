import type { Load } from '../../compaction/index.ts';
import { isThroughlineError } from '../../errors.ts';
import type { ChosenModel } from '../../models/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { App } from '../app.ts';
import type { TurnApp } from '../turn-app.ts';

/** How full the context of a session is, and the model that the next turn asks. */
interface Measured {
  readonly load?: Load;
  readonly chosen?: ChosenModel;
}

/**
 * How full the context of the session is, as its next turn measures it: a policy that keeps a share keeps one of the window of
 * the model that answers.
 */
export async function measureLoad(info: SessionInfo, app: App | (App & Partial<TurnApp>)): Promise<Measured> {
  const { contextFor } = await import('../../agent/index.ts');
  const { announcedChoices } = await import('../runs/turns-for.ts');
  const choices =
    'runs' in app
      ? announcedChoices(app as TurnApp, {})
      : {
          openModel: { env: app.env },
          ...('agents' in app && app.agents === false && { agent: false as const }),
        };
  try {
    const { load, chosen } = await contextFor(app.store, info.id, { ...choices, recall: false });
    return { ...(load && { load }), ...(chosen && { chosen }) };
  } catch (error) {
    // Without a context that can be built, as with instructions that are too long, the tokens of the policy are kept.
    if (!isThroughlineError(error)) throw error;
    return {};
  }
}
