import type { Environment } from '../../models/index.ts';
import { type ConfigFile, readConfigFiles, valueIn } from './config-file.ts';
import { SETTINGS, type Setting } from './settings.ts';

/** The file that decided, by variable. */
const decided = new Map<string, ConfigFile>();

/**
 * Puts the values of the files into the environment, where it has none. So there is one order for everything: flags,
 * environment, the project's file, the one in the home folder.
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

/** The value of a setting without a flag, and its origin. */
export function standingOf({ variable }: Setting, env: Environment = process.env): Standing {
  const value = env[variable] || undefined;
  if (value === undefined) return { value, from: 'default', where: undefined };
  const file = decided.get(variable);
  return file
    ? { value, from: file.whose, where: file.path }
    : { value, from: 'environment', where: variable };
}
