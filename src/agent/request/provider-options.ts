import type { TurnOptions } from '../turn-options.ts';

type ProviderOptions = TurnOptions['providerOptions'];

/** A summary that was asked for is not asked for again in the place of the answer. */
export function withoutDemand(options: ProviderOptions): ProviderOptions {
  if (!options) return undefined;
  const entries = Object.entries(options).map(([name, { compaction: _, compactionTrigger: __, ...rest }]) => [
    name,
    rest,
  ]);
  return Object.fromEntries(entries);
}

/** What changes how a request is read, as a list; `undefined` if there is nothing. */
export function lastingOptions(options: ProviderOptions): readonly unknown[] | undefined {
  const lasting = Object.entries(withoutDemand(options) ?? {}).filter(
    ([, own]) => Object.keys(own).length > 0,
  );
  return lasting.length > 0 ? lasting : undefined;
}
