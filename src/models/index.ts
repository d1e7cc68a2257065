export {
  type AnsweringModel,
  type ChooseModelOptions,
  type ChosenModel,
  checkModelNames,
  chooseAnswering,
  chooseModel,
  type ModelChoice,
} from './choose-model.ts';
export { describeModel } from './describe-model.ts';
export type { Environment } from './environment.ts';
export { type AskedModel, explainModelError } from './explain-model-error.ts';
export { type Generated, type GenerateOptions, generate } from './generate.ts';
export { isOfflineAnswer } from './is-offline-answer.ts';
export { parseReference } from './model-reference.ts';
export { createOfflineModel, type OfflineModelOptions } from './offline-model.ts';
export { fittingQuotes, isAsking, type Quote, sentencesOf } from './offline-quotes.ts';
export {
  type EmbeddingModelV4,
  type OpenedEmbedding,
  openEmbedding,
} from './open-embedding.ts';
export { type OpenedModel, type OpenModelOptions, openModel } from './open-model.ts';
export { PROVIDERS, type ProviderName } from './providers.ts';
export { readUsage } from './read-usage.ts';
export {
  AGENT_SDK,
  isAgentSdk,
  type ModelNames,
  providerIn,
  providerName,
  rememberedReference,
} from './wanted-model.ts';
export { wrapModel } from './wrap-model.ts';
