export {
  type AnsweringModel,
  answering,
  type ChooseModelOptions,
  type ChosenModel,
  chooseAnswering,
  chooseModel,
  type ModelChoice,
} from './choose-model.ts';
export { describeModel } from './describe-model.ts';
export { explainModelError } from './explain-model-error.ts';
export type { Environment } from './find-key.ts';
export { generate } from './generate.ts';
export { isOfflineAnswer } from './is-offline-answer.ts';
export {
  AGENT_SDK,
  askedReference,
  isAgentSdk,
  type ModelNames,
  modelSettings,
  namesIn,
  parseReference,
  rememberedReference,
} from './model-reference.ts';
export {
  createOfflineModel,
  fittingQuotes,
  isAsking,
  type OfflineModelOptions,
  type Quote,
  sentencesOf,
} from './offline-model.ts';
export { type OpenedEmbedding, openEmbedding } from './open-embedding.ts';
export { isCutShort, type OpenedModel, type OpenModelOptions, openModel, readUsage } from './open-model.ts';
export { cheaperModel, PROVIDERS, type ProviderName } from './providers.ts';
