import type { LanguageModel } from 'ai';

/** A model as the AI SDK of today calls it, not by a name and not one of an older specification. */
export type LanguageModelV4 = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>;

export type CallOptions = Parameters<LanguageModelV4['doGenerate']>[0];
export type GenerateResult = Awaited<ReturnType<LanguageModelV4['doGenerate']>>;
type StreamResult = Awaited<ReturnType<LanguageModelV4['doStream']>>;
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer P> ? P : never;
export type Prompt = CallOptions['prompt'];
