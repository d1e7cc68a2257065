import type { LanguageModel } from 'ai';
import { isThroughlineError } from '../errors.ts';
import type { SessionState } from '../record/index.ts';
import { type ModelLimits, type ModelPrice, modelLimits } from '../tokens/index.ts';
import { describeModel } from './describe-model.ts';
import {
  AGENT_SDK,
  askedReference,
  isAgentSdk,
  type ModelNames,
  namesIn,
  parseReference,
  referenceText,
  rememberedReference,
} from './model-reference.ts';
import { modelFacts, type OpenedModel, type OpenModelOptions, openModel } from './open-model.ts';
import { PROVIDERS, type Provider } from './providers.ts';

/** `provider:model`, one that `openModel` gave, one that was chosen before, or any model of the AI SDK. */
export type ModelChoice = string | OpenedModel | ChosenModel | Exclude<LanguageModel, string>;

/** The model that answers in a session. */
export interface ChosenModel {
  /** `provider:model`. */
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly limits: ModelLimits;
  /** Absent where no money is asked for, and where the price is unknown. */
  readonly price?: ModelPrice;
  /** What named it: the call, the agent module, the session's setting, the environment, or nothing. */
  readonly because: 'asked' | 'agent' | 'session' | 'environment' | 'offline';
  /** Which model should have answered in its place, and why that cannot be used here. */
  readonly problem?: string;
  /** Only in an announcement in which `id` is the model that is meant and has no key here: the one that answers. */
  readonly answeredBy?: string;
  /** Absent for the agent SDK, and in an announcement for a model that has no key here. */
  readonly opened?: OpenedModel;
}

/** One that can be asked. */
export type AnsweringModel = ChosenModel & { readonly opened: OpenedModel };

export interface ChooseModelOptions {
  /**
   * The model that the call names. It is used, or the call fails: `model-unknown`, `model-not-configured`. A name that tells no
   * provider is a model of the session's provider.
   */
  readonly asked?: ModelChoice | ModelNames | undefined;
  /** What the agent module names. */
  readonly agent?: ModelChoice | undefined;
  /** The model of the conversation so far: it answers in a session that names none. */
  readonly current?: ChosenModel | undefined;
  /**
   * For an announcement: a model without a key here is described and not opened, if it is asked for, or if no other is
   * connected either. Then no provider is sent anything, and the numbers of the model that is meant are those to show.
   */
  readonly announced?: boolean;
  /** True where the agent SDK can be run. */
  readonly agentSdk?: boolean;
  readonly open?: OpenModelOptions | undefined;
}

/**
 * Decides which model answers: the one asked for, the agent module's, the one that the session is set to, the one that the
 * environment names, or the offline one. A model that is only remembered, by a module or a setting, and cannot be used here
 * closes no session: the next in line answers, and `problem` says why.
 */
export async function chooseModel(
  { settings }: Pick<SessionState, 'settings'>,
  options: ChooseModelOptions = {},
): Promise<ChosenModel> {
  const { asked, agent, current, open } = options;
  const names = namesIn(asked);
  const named = names ? askedReference(settings, names, options) : (asked as ModelChoice);
  if (named !== undefined) return useAsked(named, options);
  const remembered = rememberedReference(settings);
  const wishes = [
    { choice: agent, because: 'agent' },
    { choice: remembered, because: 'session' },
  ] as const;
  // The agent SDK brings its agent.
  const ownsAgent = options.agentSdk === true && remembered !== undefined && isAgentSdk(remembered);
  let problem: string | undefined;
  let described: ChosenModel | undefined;
  for (const { choice, because } of ownsAgent ? wishes.slice(1) : wishes) {
    if (choice === undefined) continue;
    try {
      return withProblem(await use(choice, because, options), problem);
    } catch (error) {
      if (!isThroughlineError(error)) throw error;
      problem ??= `${nameOf(choice)} cannot be used: ${error.message}`;
      described ??= describeUnkeyed(error, { choice, because, options });
    }
  }
  const standard = current ?? (await fromEnvironment(open));
  if (standard.because !== 'offline' || !described) return withProblem(standard, problem);
  return withProblem({ ...described, answeredBy: standard.id }, problem);
}

/** The same where the model is asked at once. */
export async function chooseAnswering(
  state: Pick<SessionState, 'settings'>,
  options: Omit<ChooseModelOptions, 'announced' | 'agentSdk'>,
): Promise<AnsweringModel> {
  return answering(await chooseModel(state, options));
}

/** A model that was chosen to answer, and not for an announcement. */
export function answering(chosen: ChosenModel): AnsweringModel {
  const { opened } = chosen;
  if (!opened) throw new Error(`bug: ${chosen.id} was chosen for an announcement and is asked to answer`);
  return { ...chosen, opened };
}

async function useAsked(choice: ModelChoice, options: ChooseModelOptions): Promise<ChosenModel> {
  try {
    return await use(choice, 'asked', options);
  } catch (error) {
    const described = describeUnkeyed(error, { choice, because: 'asked', options });
    if (!described) throw error;
    return described;
  }
}

/** `undefined` where nothing is announced, and where only a server knows which models it has. */
function describeUnkeyed(
  error: unknown,
  {
    choice,
    because,
    options: { announced, open = {} },
  }: { choice: ModelChoice; because: ChosenModel['because']; options: ChooseModelOptions },
): ChosenModel | undefined {
  if (!announced || typeof choice !== 'string' || !isThroughlineError(error, 'model-not-configured'))
    return undefined;
  const reference = parseReference(choice);
  const { provider } = reference;
  const { defaultModel }: Provider = PROVIDERS[provider];
  const model = reference.model ?? defaultModel;
  if (model === undefined) return undefined;
  const { env = process.env, limits: overrides } = open;
  const facts = modelFacts({ provider, model }, { env, overrides });
  return { id: referenceText({ ...reference, model }), provider, model, ...facts, because };
}

async function use(
  choice: ModelChoice,
  because: ChosenModel['because'],
  { open, agentSdk = false }: ChooseModelOptions,
): Promise<ChosenModel> {
  if (typeof choice !== 'string') {
    if ('because' in choice) return choice;
    return toChosen('languageModel' in choice ? choice : describeModel(choice), because);
  }
  if (agentSdk && isAgentSdk(choice)) return { ...describeAgentSdk(choice), because };
  return toChosen(await openModel(choice, open), because);
}

async function fromEnvironment(open: OpenModelOptions | undefined): Promise<ChosenModel> {
  const opened = await openModel(undefined, open);
  return toChosen(opened, opened.pickedBy === undefined ? 'offline' : 'environment');
}

function toChosen(opened: OpenedModel, because: ChosenModel['because']): ChosenModel {
  const { id, provider, model, limits, price } = opened;
  return { id, provider, model, limits, ...(price && { price }), because, opened };
}

function withProblem(chosen: ChosenModel, problem: string | undefined): ChosenModel {
  return problem === undefined ? chosen : { ...chosen, problem };
}

function describeAgentSdk(reference: string): Omit<ChosenModel, 'because'> {
  const model = reference.trim().slice(AGENT_SDK.length + 1) || 'default';
  const limits = modelLimits(model === 'default' ? 'claude' : model);
  return { id: `${AGENT_SDK}:${model}`, provider: AGENT_SDK, model, limits };
}

function nameOf(choice: ModelChoice): string {
  if (typeof choice === 'string') return choice;
  return 'id' in choice ? choice.id : choice.modelId;
}
