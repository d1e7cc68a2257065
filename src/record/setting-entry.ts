import { z } from 'zod';
import { ThroughlineError } from '../errors.ts';
import type { NewEntry } from './entry.ts';
import type { Json } from './json.ts';
import type { Setting } from './setting.ts';
import { definitionOf, type GivenSettings, type OwnSettings, PROJECT_SETTINGS } from './settings.ts';

interface SettingOptions {
  readonly by: Setting['by'];
  readonly at?: number;
}

type NewSetting = NewEntry & { readonly body: Setting };

/** The entry that gives one of our settings a value, or clears it with `null`. */
export function settingEntry<Name extends keyof OwnSettings & string>(
  name: Name,
  value: OwnSettings[Name] | null,
  { by, at }: SettingOptions,
): NewSetting {
  check(name, value, definitionOf(name)?.schema ?? projectSchema(name) ?? z.never());
  return { ...(at !== undefined && { at }), body: { kind: 'setting', name, value: value as Json, by } };
}

/** The entries for several settings, a host's own among them. */
export function settingEntries(settings: GivenSettings, { by, at }: SettingOptions): NewSetting[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (value === undefined) return [];
    check(name, value, definitionOf(name)?.schema);
    return [
      { ...(at !== undefined && { at }), body: { kind: 'setting' as const, name, value: value as Json, by } },
    ];
  });
}

function check(name: string, value: unknown, schema: z.ZodType | undefined): void {
  const result = value === null ? undefined : schema?.safeParse(value);
  if (!result || result.success) return;
  throw new ThroughlineError(
    'entry-invalid',
    `Not appended, the value of the setting "${name}" is not valid: ${z.prettifyError(result.error)}`,
    { cause: result.error, details: { setting: name } },
  );
}

function projectSchema(name: string): z.ZodType | undefined {
  return Object.hasOwn(PROJECT_SETTINGS, name)
    ? PROJECT_SETTINGS[name as keyof typeof PROJECT_SETTINGS].schema
    : undefined;
}
