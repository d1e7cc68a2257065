import type { LanguageModel } from 'ai';
import { modelLimits, modelPrice } from '../tokens/index.ts';
import type { OpenedModel } from './open-model.ts';
import { PROVIDERS, type ProviderName } from './providers.ts';
import { wrapModel } from './wrap-model.ts';

/** A model object of the AI SDK that the host made: its name tells what it can do and what it costs. */
export function describeModel(model: Exclude<LanguageModel, string>): OpenedModel {
  const maker = model.provider.split('.')[0] ?? '';
  const id = `${maker}:${model.modelId}`;
  const price = modelPrice(id);
  const provider = (Object.hasOwn(PROVIDERS, maker) ? maker : 'compatible') as ProviderName;
  return {
    id,
    provider,
    model: model.modelId,
    // Older specifications work as well; only the newest can be kept from printing to the console.
    languageModel: (model.specificationVersion === 'v4'
      ? wrapModel(model, {}, { alternate: provider === 'compatible' })
      : model) as OpenedModel['languageModel'],
    limits: modelLimits(id),
    ...(price && { price }),
  };
}
