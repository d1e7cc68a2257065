import { isThroughlineError } from '../../errors.ts';
import { type OpenedModel, openModel } from '../../models/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Agent } from '../../run/index.ts';

export interface ChosenModel {
  readonly model: OpenedModel;
  /** Why this one, for people. */
  readonly because: string;
  /** What should have been used and could not be. */
  readonly problem?: string;
}

/**
 * The model that answers: the one asked for, the agent's, the one the session remembers, or what the environment asks
 * for. One that is remembered but cannot be reached any more keeps nobody from their session: the offline one answers.
 */
export async function chooseModel({
  asked,
  agent,
  info,
}: {
  asked: string | undefined;
  agent: Agent | undefined;
  info: SessionInfo | undefined;
}): Promise<ChosenModel> {
  if (asked !== undefined) return { model: await openModel(asked), because: 'named by --model' };
  const wished = typeof agent?.model === 'string' ? agent.model : undefined;
  const remembered = wished ?? rememberedModel(info);
  const because = wished === undefined ? 'remembered with the session' : `the agent's`;
  if (remembered === undefined) return fromEnvironment();
  try {
    return { model: await openModel(remembered), because };
  } catch (error) {
    if (!isThroughlineError(error)) throw error;
    return { ...(await fromEnvironment()), problem: `${remembered} cannot be used: ${error.message}` };
  }
}

/** Who writes summaries, if somebody is named for it: a cheaper model, for instance, or with "digest" none. */
export async function openWriter(named: string | undefined): Promise<OpenedModel | undefined> {
  return named === undefined ? undefined : openModel(named === 'digest' ? 'offline' : named);
}

async function fromEnvironment(): Promise<ChosenModel> {
  const model = await openModel();
  if (model.pickedBy !== undefined) return { model, because: `picked by ${model.pickedBy}` };
  return { model, because: 'no key was found' };
}

/** The model that the session was last set to. */
function rememberedModel(info: SessionInfo | undefined): string | undefined {
  const { provider, model } = info?.state.settings ?? {};
  if (typeof model !== 'string') return undefined;
  return typeof provider === 'string' && !model.includes(':') ? `${provider}:${model}` : model;
}

/** What a newcomer without a key is told; the first answer says how to change that. */
export const QUOTES =
  'No model is connected, so answers are quotes from your sessions. A key or "--model" changes that.';
