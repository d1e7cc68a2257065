import { z } from 'zod';
import { isThroughlineError } from '../../errors.ts';
import {
  type CompactionPolicy,
  type GivenSettings,
  isOwnSetting,
  type SessionState,
} from '../../record/index.ts';
import type { Birth } from '../../session/index.ts';
import { sessionExists } from '../../store/index.ts';
import { type Access, projectFor } from '../access.ts';
import type { App } from '../app.ts';
import {
  AskFirstField,
  HostSettings,
  ModelField,
  PolicyField,
  ProviderField,
  TagField,
  TitleField,
} from '../fields.ts';
import { refused } from '../refused.ts';

/** Of a session that is made by an operation, unless the caller asks for another: the client guide promises it. */
export const DEFAULT_POLICY: CompactionPolicy = 'window';

/** The labels that a session is made with, and that can be changed later. */
export const LabelFields = {
  title: TitleField.optional(),
  project: z.string().min(1).max(1000).optional().describe('What the session belongs to.'),
  provider: ProviderField.optional(),
  model: ModelField.optional(),
  systemPrompt: z.string().max(200_000).optional().describe('Stands in front of every request.'),
  cliSessionId: z.string().min(1).max(500).optional().describe("The agent SDK's own session id."),
  compaction: PolicyField.optional(),
  askFirst: AskFirstField.optional(),
  settings: HostSettings.optional().describe("A host's own settings; `null` clears one."),
};

/** The fields of a new session, its id aside. */
export const BirthFields = {
  agent: z.string().min(1).max(200).optional(),
  tags: z.array(TagField).max(100).default([]),
  ...LabelFields,
};

/** A module that a person agreed to run on this machine. */
export const AgentField = z.strictObject({ name: z.string(), path: z.string() });

export const NewId = z.string().describe('Of the new session: the same as `session.id`.');

type BirthParams = z.output<z.ZodObject<typeof BirthFields>>;

export async function birthOf(
  { agent, tags, title, project, ...labels }: BirthParams,
  { access }: Pick<App, 'access'>,
): Promise<Omit<Birth, 'id'>> {
  const owner = projectFor(access, project);
  const { compaction = DEFAULT_POLICY, ...settings } = await settingsIn(access, labels);
  return {
    ...(agent !== undefined && { agent }),
    ...(title !== undefined && { title }),
    ...(owner !== undefined && { project: owner }),
    tags,
    settings: { compaction, ...settings },
  };
}

interface SettingFields {
  settings?: Record<string, unknown> | undefined;
  provider?: string | null | undefined;
  model?: string | null | undefined;
  systemPrompt?: string | null | undefined;
  cliSessionId?: string | null | undefined;
  compaction?: CompactionPolicy | null | undefined;
  askFirst?: boolean | null | undefined;
}

/** The settings that the fields mean; only those that are given. `known`: the settings that the session has. */
export async function settingsIn(
  { projects }: Access,
  { settings = {}, provider, model, ...named }: SettingFields,
  { known = {} }: { known?: SessionState['settings'] } = {},
): Promise<GivenSettings> {
  // The path of an agent is run, and the other names of this package have separate fields.
  const taken = Object.keys(settings).find(isOwnSetting);
  if (taken !== undefined)
    throw refused('usage', `"${taken}" is not one of a host's own settings.`, { setting: taken });
  // The SDK keeps the conversations of everybody on this machine, and knows nothing of projects.
  if (named.cliSessionId != null && projects !== null)
    throw refused('access-denied', 'Your token reaches some projects only: it cannot choose "cliSessionId".');
  return { ...settings, ...named, ...(await modelNames({ provider, model }, known)) };
}

/** The table of providers is loaded for sessions that name a model. */
export async function modelNames(
  { provider, model }: Pick<SettingFields, 'provider' | 'model'>,
  known: SessionState['settings'] = {},
): Promise<Pick<SettingFields, 'provider' | 'model'>> {
  if (provider == null && model == null) return { provider, model };
  const { modelSettings } = await import('../../models/index.ts');
  return modelSettings({ provider, model }, known);
}

/** A token of some projects learns of an id out of its reach that it is taken, and not whether it was purged. */
export async function asNew<T>(
  { access }: Pick<App, 'access'>,
  id: string | undefined,
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (access.projects !== null && id !== undefined && isThroughlineError(error, 'session-gone'))
      throw sessionExists(id);
    throw error;
  }
}
