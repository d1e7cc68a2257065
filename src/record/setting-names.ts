// The names of settings that this package acts upon, in one place: what it goes by is not for others to set as a setting
// of their own. Each has a field, a command or a method, or is written by the package alone.

/** Settings of a session. */
export const SETTING_NAMES = [
  'agent',
  'agentPath',
  'agentSdk',
  'approvedTools',
  'archived',
  'cliSessionId',
  'compaction',
  'featureId',
  'model',
  'permission',
  'project',
  'provider',
  'reserved',
  'source',
  'subAgentOf',
  'systemPrompt',
  'tag',
  'taskId',
  'title',
  'trashed',
  'unsendable',
  'untag',
  'waiting',
  'work',
] as const;

/** One setting for each folder and label of a project, and for each session whose checkpoint is shown. */
export const SETTING_PREFIXES = ['folder:', 'label:', 'shows:'] as const;

/** Read in the log of a project alone; in a conversation these names are free. */
export const PROJECT_SETTING_NAMES = ['budget', 'firstCommit', 'name'] as const;

/** Whether a setting of a conversation means something to this package. */
export function isOwnSetting(name: string): boolean {
  return (
    (SETTING_NAMES as readonly string[]).includes(name) ||
    SETTING_PREFIXES.some((prefix) => name.startsWith(prefix))
  );
}
