import {
  createOfflineModel,
  describeModel,
  type OpenedModel,
  type OpenModelOptions,
  openModel,
} from '../models/index.ts';
import type { SessionState } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { knownAbout } from './offline-knowledge.ts';
import type { ModelChoice, TurnOptions } from './turn-options.ts';

/** The model that a turn is run with, and what it can do. */
export async function resolveModel(session: Session, options: TurnOptions): Promise<OpenedModel> {
  const { knowledge } = options;
  const opened = await openAnswering(session.info.state, options);
  if (opened.provider !== 'offline') return opened;
  const quote = knownAbout(session, knowledge);
  return { ...opened, languageModel: createOfflineModel({ quote }) };
}

/** The same for an announcement: it quotes nothing. */
export function openAnswering(
  state: Pick<SessionState, 'settings'>,
  { model, agent, openModel: open = {} }: Pick<TurnOptions, 'model' | 'agent' | 'openModel'>,
): Promise<OpenedModel> {
  return openChoice(model ?? agent?.model ?? remembered(state), open);
}

async function openChoice(choice: ModelChoice | undefined, open: OpenModelOptions): Promise<OpenedModel> {
  if (choice === undefined || typeof choice === 'string') return openModel(choice, open);
  return 'languageModel' in choice ? choice : describeModel(choice);
}

/** The model that the session was last set to. */
function remembered({ settings: { provider, model } }: Pick<SessionState, 'settings'>): string | undefined {
  if (typeof model !== 'string') return undefined;
  return typeof provider === 'string' && !model.includes(':') ? `${provider}:${model}` : model;
}
