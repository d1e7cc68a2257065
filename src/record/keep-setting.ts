import type { Json } from './json.ts';
import type { SessionState } from './session-state.ts';
import { fitsSetting, type Settings } from './settings.ts';

/** The state with one setting changed. A value that does not fit its name is set aside; `null` clears either. */
export function keepSetting(state: SessionState, name: string, value: Json): SessionState {
  const settings = without(state.settings, name);
  const setAside = without(state.setAside ?? {}, name);
  if (value === null) return withSettings(state, settings, setAside);
  return fitsSetting(name, value)
    ? withSettings(state, { ...settings, [name]: value }, setAside)
    : withSettings(state, settings, { ...setAside, [name]: value });
}

/** Every setting of a session by its name, for showing: those that are set aside too. */
export function shownSettings({ settings, setAside }: SessionState): Readonly<Record<string, Json>> {
  return { ...(settings as Record<string, Json>), ...setAside };
}

/** The state as stores keep it: one list of settings, as every version reads it. */
export function packState(state: SessionState): unknown {
  const { setAside: _, ...packed } = state;
  return { ...packed, settings: shownSettings(state) };
}

/** The state that a store kept. */
export function unpackState(packed: unknown): SessionState {
  const state = packed as SessionState;
  const misfits = Object.entries(state.settings).filter(([name, value]) => !fitsSetting(name, value));
  return misfits.reduce((rest, [name, value]) => keepSetting(rest, name, value as Json), state);
}

function withSettings(
  { setAside: _, ...state }: SessionState,
  settings: Readonly<Record<string, unknown>>,
  setAside: Readonly<Record<string, Json>>,
): SessionState {
  return {
    ...state,
    settings: settings as Settings,
    ...(Object.keys(setAside).length > 0 && { setAside }),
  };
}

function without<Value>(record: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  const { [name]: _, ...others } = record;
  return others;
}
