import { z } from 'zod';
import { CompactionPolicy } from './compaction-policy.ts';
import { EntryId } from './entry-id.ts';
import {
  FolderLink,
  LearntWindow,
  LeftMessage,
  LoopRound,
  Origin,
  Refused,
  SdkConversation,
  SealedApproval,
  WorkPlace,
} from './setting-values.ts';

// The registry of the settings that this package acts upon. Every other name belongs to a host: its value is kept and
// shown, and means nothing here. A value that does not fit the schema of its name is kept and shown too, and reads as
// absent.

/**
 * A person's command or field, a program over RPC, the transcript of another program, a file in our own format from
 * anywhere, or this package alone.
 */
type SettingSource = 'user' | 'host' | 'transcript' | 'copy' | 'package';

interface SettingDefinition {
  readonly schema: z.ZodType;
  readonly from: readonly SettingSource[];
  /** True for values that a file brings along only if its owner vouches for it, whatever `from` says. */
  readonly guarded?: (value: unknown) => boolean;
  /** One sentence; docs/format.md has the same. */
  readonly about: string;
}

// One schema for all that are alike: making one takes longer than anything else here.
const TEXT = z.string();
const YES_OR_NO = z.boolean();

const PACKAGE = ['package'] as const;
const USER = ['user', 'host', 'copy'] as const;
const ANY = ['user', 'host', 'transcript', 'copy'] as const;
const FILES = ['transcript', 'copy'] as const;

/** Settings with a separate field in the state. */
const LABELS = {
  archived: { schema: YES_OR_NO, from: USER, about: 'The session is hidden from lists.' },
  tag: { schema: TEXT, from: ANY, about: 'One tag to add.' },
  title: { schema: TEXT, from: ANY, about: 'The name of the session.' },
  trashed: { schema: YES_OR_NO, from: USER, about: 'The session is in the trash.' },
  untag: { schema: TEXT, from: USER, about: 'One tag to remove.' },
} as const satisfies Record<string, SettingDefinition>;

/** Settings of any log. */
const KEPT = {
  agent: { schema: TEXT, from: ANY, about: 'The name of the agent.' },
  agentPath: {
    schema: TEXT,
    from: ['user', 'transcript', 'copy'],
    about: 'The module of the agent; it runs only with the consent of a person on this machine.',
  },
  agentSdk: {
    schema: SdkConversation,
    from: PACKAGE,
    about: 'The conversation of the agent SDK, and how much of the log it holds.',
  },
  approvedTools: {
    schema: z.array(SealedApproval),
    from: PACKAGE,
    about: 'The tools that are approved for the rest of the session, each with a seal.',
  },
  askFirst: {
    schema: YES_OR_NO,
    from: USER,
    about: 'Where the session would be compacted by itself, a draft is written, and waits to be approved.',
  },
  cliSessionId: { schema: TEXT, from: ['host'], about: "The agent SDK's id of the conversation." },
  compaction: { schema: CompactionPolicy, from: USER, about: 'The compaction policy.' },
  featureId: {
    schema: TEXT,
    from: FILES,
    about: 'The feature that an imported session was for.',
  },
  model: {
    schema: TEXT,
    from: ANY,
    guarded: namesAddress,
    about: 'The model that answers, with or without its provider.',
  },
  permission: { schema: TEXT, from: ['user', 'host'], about: 'What the agent may do without asking.' },
  project: { schema: TEXT, from: ANY, about: 'The project, by its id, a folder or a label.' },
  provider: { schema: TEXT, from: ANY, guarded: namesAddress, about: 'The provider of the model.' },
  reserved: {
    schema: z.enum(['memory', 'work']),
    from: PACKAGE,
    about: 'The log is the memory of a project, or a board, and no conversation.',
  },
  round: {
    schema: LoopRound,
    from: PACKAGE,
    about: "The return of the session's task that its loop has taken up, and the iterations before.",
  },
  source: {
    schema: Origin,
    from: ['copy', 'package'],
    about: 'The transcript that the session was imported from.',
  },
  subAgentOf: {
    schema: TEXT,
    from: FILES,
    about: 'The conversation that an imported sub-agent worked for.',
  },
  systemPrompt: { schema: TEXT, from: ['host', 'copy'], about: 'The instructions before the conversation.' },
  taskId: { schema: TEXT, from: FILES, about: 'The task that an imported session was for.' },
  toolless: {
    schema: z.array(TEXT),
    from: PACKAGE,
    about: 'The models that refused tools: a turn offers them none that it can do without.',
  },
  unsendable: {
    schema: z.array(Refused),
    from: PACKAGE,
    about: 'The parts that providers refused, each with the model that refused it.',
  },
  waiting: {
    schema: z.array(EntryId),
    from: PACKAGE,
    about: 'The ids of the inputs that wait for their turn, oldest first.',
  },
  windows: {
    schema: z.array(LearntWindow),
    from: PACKAGE,
    about: 'The windows that models turned out to have, where a request was too long.',
  },
  work: { schema: WorkPlace, from: PACKAGE, about: 'The place of the session on a board.' },
} as const satisfies Record<string, SettingDefinition>;

/** One setting for each folder and label of a project, each session whose checkpoint is shown, each message that was left. */
export const SETTING_FAMILIES = {
  'folder:': { schema: FolderLink, from: PACKAGE, about: 'A folder that the project is or was in.' },
  'label:': {
    schema: z.literal(true),
    from: PACKAGE,
    about: 'A name by which sessions call the project.',
  },
  'left:': {
    schema: LeftMessage,
    from: PACKAGE,
    about: 'A message that waits, under its id, for the loop that another process runs in the session.',
  },
  'shows:': {
    schema: z.literal(true),
    from: PACKAGE,
    about: 'Requests of the session show the checkpoint of that session.',
  },
} as const satisfies Record<string, SettingDefinition>;

/** Names that are read in the log of a project alone; in a conversation they are a host's. */
export const PROJECT_SETTINGS = {
  budget: { schema: z.number(), from: USER, about: "Tokens that the project's facts may take in a context." },
  firstCommit: { schema: TEXT, from: PACKAGE, about: "The first commit of the project's repository." },
  name: { schema: TEXT, from: PACKAGE, about: 'The name of the project.' },
} as const satisfies Record<string, SettingDefinition>;

export const SETTINGS = { ...LABELS, ...KEPT } as const;

const DEFINITIONS = { ...SETTINGS, ...SETTING_FAMILIES } as const;

type ValueOf<Definition extends SettingDefinition> = z.input<Definition['schema']>;
type Families = {
  readonly [Prefix in keyof typeof SETTING_FAMILIES as `${Prefix}${string}`]: ValueOf<
    (typeof SETTING_FAMILIES)[Prefix]
  >;
};
type OfProject = {
  readonly [Name in keyof typeof PROJECT_SETTINGS]?: ValueOf<(typeof PROJECT_SETTINGS)[Name]>;
};

/** The settings of a log, by name: ours with their types, those of hosts as anything. */
export type Settings = { readonly [Name in keyof typeof KEPT]?: ValueOf<(typeof KEPT)[Name]> } & Families & {
    readonly [other: string]: unknown;
  };

/** Every value that a setting of ours may be given, by name. */
export type OwnSettings = { readonly [Name in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Name]> } & {
  readonly [Name in keyof OfProject]-?: Exclude<OfProject[Name], undefined>;
} & Families;

/** Settings as they are given: `null` clears one, `undefined` says nothing about it. */
export type GivenSettings = {
  readonly [Name in keyof typeof SETTINGS]?: ValueOf<(typeof SETTINGS)[Name]> | null | undefined;
} & { readonly [other: string]: unknown };

type Imported = {
  [Name in keyof typeof SETTINGS]: 'transcript' extends (typeof SETTINGS)[Name]['from'][number]
    ? Name
    : never;
}[keyof typeof SETTINGS];

/** The settings of ours that a transcript of another program may bring along. */
export type ImportedSettings = { [Name in Imported]?: ValueOf<(typeof SETTINGS)[Name]> };

/** True for a name that means something to this package in a conversation: not for hosts to use as their own. */
export function isOwnSetting(name: string): boolean {
  return definitionOf(name) !== undefined;
}

/** True if a transcript of another program may bring the setting along. */
export function isImportable(name: string): boolean {
  return definitionOf(name)?.from.includes('transcript') ?? true;
}

/** True if a file in our own format may bring the setting along with this value, wherever the file comes from. */
export function isCopyable(name: string, value: unknown): boolean {
  const definition = definitionOf(name);
  return !definition || (definition.from.includes('copy') && !definition.guarded?.(value));
}

/** True for a value that may be acted upon. The values of hosts are theirs to judge. */
export function fitsSetting(name: string, value: unknown): boolean {
  return definitionOf(name)?.schema.safeParse(value).success ?? true;
}

/** The project's own settings in the log of its memory. */
export function projectSettings(settings: Settings): OfProject {
  return Object.fromEntries(
    Object.entries(PROJECT_SETTINGS).flatMap(([name, { schema }]) => {
      const { success, data } = schema.safeParse(settings[name]);
      return success ? [[name, data]] : [];
    }),
  );
}

/** The settings of a family with their names after the prefix. */
export function settingsOf<Prefix extends keyof typeof SETTING_FAMILIES>(
  settings: Settings,
  prefix: Prefix,
): [name: string, value: ValueOf<(typeof SETTING_FAMILIES)[Prefix]>][] {
  return Object.entries(settings).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value as never]] : [],
  );
}

export function definitionOf(name: string): SettingDefinition | undefined {
  const own = registeredName(name);
  return own === undefined ? undefined : DEFINITIONS[own];
}

/** The name under which the registry has a setting: that of its family for one of several. */
export function registeredName(
  name: string,
): keyof typeof SETTINGS | keyof typeof SETTING_FAMILIES | undefined {
  if (Object.hasOwn(SETTINGS, name)) return name as keyof typeof SETTINGS;
  const prefix = name.slice(0, name.indexOf(':') + 1);
  return Object.hasOwn(SETTING_FAMILIES, prefix) ? (prefix as keyof typeof SETTING_FAMILIES) : undefined;
}

/**
 * A model may be named with the address of its server, and the next message sends the conversation there. Provider and model
 * are joined by a colon, so the address may begin in the one and end in the other.
 */
function namesAddress(value: unknown): boolean {
  return typeof value === 'string' && /@https?(:|$)/i.test(value);
}
