import { z } from 'zod';
import type { Machine } from '../app.ts';
import { operation } from '../operation.ts';
import { configPaths, standingOf, unknownSetting, writeSetting } from './config-file.ts';
import { settingNamed } from './settings.ts';

export const changeSetting = operation({
  name: 'config/set',
  summary: 'Write a setting into a file, or take it out.',
  writes: true,
  fails: ['usage'],
  params: z.strictObject({
    name: z.string(),
    value: z.string().nullable().describe('`null` takes it out of the file.'),
    whose: z.enum(['project', 'home']).default('home').describe("The project's file, or the one at home."),
  }),
  result: z.strictObject({
    name: z.string(),
    value: z.string().nullable(),
    file: z.string(),
    overruledBy: z.string().optional().describe('The environment variable that decides before the file.'),
  }),
  faces: {
    help: { 'config set': 'Write a setting into a file.', 'config unset': 'Take a setting out of a file.' },
    cli: { 'config set': 'result', 'config unset': 'result' },
  },
  run({ name, value, whose }, { env }: Machine) {
    const setting = settingNamed(name);
    if (!setting) throw unknownSetting(name);
    const file = configPaths()[whose];
    writeSetting(file, setting, value ?? undefined);
    const isOverruled = env[setting.variable] && standingOf(setting, env).from === 'environment';
    return { name, value, file, ...(isOverruled && { overruledBy: setting.variable }) };
  },
});
