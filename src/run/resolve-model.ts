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
export async function resolveModel(
  session: Session,
  { model, agent, openModel: open = {}, knowledge }: TurnOptions,
): Promise<OpenedModel> {
  const choice = model ?? agent?.model ?? remembered(session.info.state);
  const opened = await openChoice(choice, open);
  if (opened.provider !== 'offline') return opened;
  const quote = knownAbout(session, knowledge);
  return { ...opened, languageModel: createOfflineModel({ quote }) };
}

async function openChoice(choice: ModelChoice | undefined, open: OpenModelOptions): Promise<OpenedModel> {
  if (choice === undefined || typeof choice === 'string') return openModel(choice, open);
  return 'languageModel' in choice ? choice : describeModel(choice);
}

/** The model that the session was last set to. */
function remembered({ settings: { provider, model } }: SessionState): string | undefined {
  if (typeof model !== 'string') return undefined;
  return typeof provider === 'string' && !model.includes(':') ? `${provider}:${model}` : model;
}
