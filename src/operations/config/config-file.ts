import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Environment } from '../../models/index.ts';
import { storeFile } from '../../store/index.ts';
import { refused } from '../refused.ts';
import { CONFIG_SETTINGS, type ConfigSetting } from './settings.ts';

const FILE = path.join('.throughline', 'config.json');

interface ConfigFile {
  readonly whose: 'project' | 'home';
  readonly path: string;
  /** Every field, unknown ones included. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The paths of both files. The project's is the nearest one in the folder or above it, or would be in the folder. */
export function configPaths(folder = process.cwd(), env = process.env): Record<ConfigFile['whose'], string> {
  const home = path.join(env.HOME || homedir(), FILE);
  for (let here = path.resolve(folder); ; here = path.dirname(here)) {
    const file = path.join(here, FILE);
    if (file !== home && existsSync(file)) return { project: file, home };
    if (here === path.dirname(here)) return { project: path.join(path.resolve(folder), FILE), home };
  }
}

/** The files that exist, the one that decides first. A broken one is an error: to guess past it would surprise. */
export function readConfigFiles(): ConfigFile[] {
  const paths = configPaths();
  return (['project', 'home'] as const).flatMap((whose) => {
    const fields = readFields(paths[whose]);
    return fields ? [{ whose, path: paths[whose], fields }] : [];
  });
}

/** The value of a setting in a file, as a flag or a variable would have it. */
function valueIn({ path: file, fields }: ConfigFile, setting: ConfigSetting): string | undefined {
  const given = fields[setting.name];
  if (given === undefined || given === null || given === '') return undefined;
  const value = typeof given === 'number' ? String(given) : given;
  const why = typeof value === 'string' ? setting.refuse(value) : 'it is a text or a number';
  if (why !== undefined)
    throw refused(
      'usage',
      `${file} cannot be meant: "${setting.name}" is ${JSON.stringify(given)}, and ${why}.`,
    );
  // A path in a file is relative to the folder of the file, for every reader.
  return setting.name === 'store'
    ? storeFile(value as string, path.dirname(path.dirname(file)))
    : (value as string);
}

/** Writes one setting, or takes it out. The file is replaced whole, so a crash leaves the old one or the new one. */
export function writeSetting(file: string, { name, refuse }: ConfigSetting, value: string | undefined): void {
  if (value?.trim() === '')
    throw refused(
      'usage',
      `An empty text cannot be the ${name}. Take the setting out to go back to the default.`,
    );
  const why = value === undefined ? undefined : refuse(value);
  if (why !== undefined) throw refused('usage', `"${value}" cannot be the ${name}: ${why}.`);
  const { [name]: _, ...fields } = readFields(file) ?? {};
  if (value !== undefined) fields[name] = value;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${JSON.stringify(fields, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

export function unknownSetting(name: string) {
  const keys = /key|token|secret/i.test(name)
    ? ' Keys belong in the environment, where no repository carries them along.'
    : '';
  return refused(
    'usage',
    `There is no setting "${name}". There are ${CONFIG_SETTINGS.map((setting) => setting.name).join(', ')}.${keys}`,
  );
}

function readFields(file: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw refused('usage', `${file} cannot be read: ${(error as Error).message}.`);
  }
  try {
    const fields: unknown = JSON.parse(text.replace(/^\uFEFF/, '') || '{}');
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
      return fields as Record<string, unknown>;
  } catch {}
  throw refused('usage', `${file} is not a JSON object. Mend it, or remove it: nothing in it is required.`);
}

/** The file that decided, by variable. */
const decided = new Map<string, ConfigFile>();

/**
 * Puts the values of the files into the environment, where it has none. So there is one order for everything: flags,
 * environment, the project's file, the one in the home folder.
 */
export function applyConfig(env: NodeJS.ProcessEnv = process.env): void {
  const files = readConfigFiles();
  for (const setting of CONFIG_SETTINGS) {
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

interface Standing {
  readonly value: string | undefined;
  readonly from: 'environment' | 'project' | 'home' | 'default';
  /** The variable or the file. */
  readonly where: string | undefined;
}

/** The value of a setting without a flag, and its origin. */
export function standingOf({ variable }: ConfigSetting, env: Environment = process.env): Standing {
  const value = env[variable] || undefined;
  if (value === undefined) return { value, from: 'default', where: undefined };
  const file = decided.get(variable);
  return file
    ? { value, from: file.whose, where: file.path }
    : { value, from: 'environment', where: variable };
}
