import type { LanguageModel } from 'ai';
import {
  createOfflineModel,
  type OpenedModel,
  type OpenModelOptions,
  openModel,
  PROVIDERS,
  type ProviderName,
  wrapModel,
} from '../models/index.ts';
import type { SessionState } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { modelLimits, modelPrice } from '../tokens/index.ts';
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

/** A model of the AI SDK that somebody made themselves: its name tells what it can do and what it costs. */
function describeModel(model: Exclude<LanguageModel, string>): OpenedModel {
  const maker = model.provider.split('.')[0] ?? '';
  const id = `${maker}:${model.modelId}`;
  const price = modelPrice(id);
  return {
    id,
    provider: (Object.hasOwn(PROVIDERS, maker) ? maker : 'compatible') as ProviderName,
    model: model.modelId,
    // Older specifications work as well; only the newest can be kept from printing to the console.
    languageModel: (model.specificationVersion === 'v4'
      ? wrapModel(model)
      : model) as OpenedModel['languageModel'],
    limits: modelLimits(id),
    ...(price && { price }),
  };
}

/** The model that the session was last set to. */
function remembered({ settings: { provider, model } }: SessionState): string | undefined {
  if (typeof model !== 'string') return undefined;
  return typeof provider === 'string' && !model.includes(':') ? `${provider}:${model}` : model;
}
