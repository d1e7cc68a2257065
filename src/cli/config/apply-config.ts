import { type ConfigFile, readConfigFiles, valueIn } from './config-file.ts';
import { SETTINGS, type Setting } from './settings.ts';

/** Which file decided, by variable. */
const decided = new Map<string, ConfigFile>();

/**
 * What the files say goes where the environment is silent, as if it were said there. So there is one order for everything:
 * flags, environment, the project's file, the one in the home folder.
 */
export function applyConfig(env: NodeJS.ProcessEnv = process.env): void {
  const files = readConfigFiles();
  for (const setting of SETTINGS) {
    if (env[setting.variable]) continue;
    for (const file of files) {
      const value = valueIn(file, setting);
      if (value === undefined) continue;
      env[setting.variable] = value;
      decided.set(setting.variable, file);
      break;
    }
  }
}

export interface Standing {
  readonly value: string | undefined;
  readonly from: 'environment' | 'project' | 'home' | 'default';
  /** The variable or the file. */
  readonly where: string | undefined;
}

/** How a setting stands without a flag. */
export function standingOf({ variable }: Setting, env: NodeJS.ProcessEnv = process.env): Standing {
  const value = env[variable] || undefined;
  if (value === undefined) return { value, from: 'default', where: undefined };
  const file = decided.get(variable);
  return file
    ? { value, from: file.whose, where: file.path }
    : { value, from: 'environment', where: variable };
}
