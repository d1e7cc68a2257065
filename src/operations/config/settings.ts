import { POLICY_NAMES } from './preset-names.ts';

/** A value that is set once instead of with every command. Keys are no settings: they belong in the environment. */
export interface ConfigSetting {
  readonly name: string;
  /** The environment variable that decides before both files. */
  readonly variable: string;
  readonly about: string;
  /** What holds while it is not set. */
  readonly otherwise: string;
  /** Why a value is refused; `undefined` for one that is taken. */
  readonly refuse: (value: string) => string | undefined;
}

export const CONFIG_SETTINGS: readonly ConfigSetting[] = [
  {
    name: 'store',
    variable: 'THROUGHLINE_STORE',
    about: 'the store, a file or its folder',
    otherwise: "the project's own, or the one in your home folder",
    refuse: (value) =>
      /^[a-z][a-z0-9+.-]+:/i.test(value) ? 'it is the path of a file or a folder' : undefined,
  },
  {
    name: 'model',
    variable: 'THROUGHLINE_MODEL',
    about: 'who answers, unless the agent or the session says',
    otherwise: 'by your keys, or the offline model',
    refuse: () => undefined,
  },
  {
    name: 'preset',
    variable: 'THROUGHLINE_PRESET',
    about: 'when and how much is compacted, unless the session says',
    otherwise: 'balanced',
    refuse: (value) =>
      POLICY_NAMES.some((name) => name === value) ? undefined : `it is one of ${POLICY_NAMES.join(', ')}`,
  },
  {
    name: 'summary-model',
    variable: 'THROUGHLINE_SUMMARY_MODEL',
    about: 'who writes summaries, or "digest"',
    otherwise: 'the model that answers',
    refuse: () => undefined,
  },
  {
    name: 'summary-spend',
    variable: 'THROUGHLINE_SUMMARY_SPEND',
    about: 'tokens that summaries may use in an hour',
    otherwise: 'no limit',
    refuse: wholeNumber,
  },
  {
    name: 'ask-first',
    variable: 'THROUGHLINE_ASK_FIRST',
    about: 'write a draft instead of compacting, unless the session says',
    otherwise: 'off',
    refuse: (value) => (value === 'on' || value === 'off' ? undefined : 'it is on or off'),
  },
  {
    name: 'window',
    variable: 'THROUGHLINE_WINDOW',
    about: "the model's window, in tokens",
    otherwise: 'as the catalogue says',
    refuse: wholeNumber,
  },
  {
    name: 'recall',
    variable: 'THROUGHLINE_RECALL',
    about: 'tokens for what is recalled from compacted turns, or 0',
    otherwise: '2000',
    refuse: (value) => (/^\d{1,15}$/.test(value) ? undefined : 'it is a whole number from 0 on'),
  },
  {
    name: 'timeout',
    variable: 'THROUGHLINE_TIMEOUT',
    about: 'seconds to wait while nothing comes from a model',
    otherwise: '300, and 120 for a summary',
    refuse: wholeNumber,
  },
  {
    name: 'embedding',
    variable: 'THROUGHLINE_EMBEDDING',
    about: "a provider's embeddings for search by meaning",
    otherwise: 'the embedded word table',
    refuse: () => undefined,
  },
];

export function settingNamed(name: string): ConfigSetting | undefined {
  return CONFIG_SETTINGS.find((setting) => setting.name === name);
}

function wholeNumber(value: string): string | undefined {
  return /^[1-9]\d{0,14}$/.test(value) ? undefined : 'it is a whole number from 1 on';
}
