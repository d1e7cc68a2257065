import { z } from 'zod';
import type { Machine } from '../app.ts';
import { operation } from '../operation.ts';
import { readConfigFiles, standingOf } from './config-file.ts';
import { CONFIG_SETTINGS, settingNamed } from './settings.ts';

const SettingRecord = z.strictObject({
  name: z.string(),
  value: z.string().nullable(),
  from: z.enum(['environment', 'project', 'home', 'default']),
  where: z.string().nullable().describe('The variable or the file that decided.'),
  variable: z.string(),
  about: z.string(),
  otherwise: z.string().describe('What holds where nothing is set.'),
});

const FileRecord = z.strictObject({
  whose: z.enum(['project', 'home']),
  path: z.string(),
  unknown: z.array(z.string()).describe('Fields that are no setting.'),
});

export const listSettings = operation({
  name: 'config/list',
  summary:
    "Show every setting and where its value comes from. Flags decide, then the environment, then the project's .throughline/config.json, then the one in your home folder.",
  fails: ['usage'],
  params: z.strictObject({}),
  result: z.strictObject({ settings: z.array(SettingRecord), files: z.array(FileRecord) }),
  faces: { cli: { config: 'result' } },
  run: (_, { env }: Machine) => ({
    settings: CONFIG_SETTINGS.map((setting) => {
      const { name, variable, about, otherwise } = setting;
      const { value = null, from, where = null } = standingOf(setting, env);
      return { name, value, from, where, variable, about, otherwise };
    }),
    files: readConfigFiles().map(({ whose, path, fields }) => ({
      whose,
      path,
      unknown: Object.keys(fields).filter((name) => !settingNamed(name)),
    })),
  }),
});
