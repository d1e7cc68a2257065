import { existsSync } from 'node:fs';
import path from 'node:path';
import { PRESETS } from '../src/compaction/index.ts';
import { PROVIDERS, type Provider } from './cost-caches.ts';
import { runOther, type Strategy } from './cost-others.ts';
import { runOurs, type Told, type WriterName } from './cost-ours.ts';
import { importedScripts, plantedScript, type Script } from './cost-script.ts';
import type { Row } from './measure.ts';

const WINDOWS = { '200K': 200_000, '1M': 1_000_000 } as const;
const FULL = 0.8;

const OTHERS: Readonly<Record<string, Strategy>> = {
  'none until 80 % of the window': { trigger: (window) => window * FULL, keep: 20_000, summaryTokens: 3_000 },
  'a running summary from 80,000 tokens on': { trigger: () => 80_000, keep: 20_000, summaryTokens: 3_000 },
  'the provider itself, from 150,000 tokens on': {
    trigger: () => 150_000,
    keep: 0,
    summaryTokens: 4_000,
    native: true,
  },
};
const OURS: readonly { preset: 'balanced' | 'frugal'; writer: WriterName }[] = [
  { preset: 'frugal', writer: 'digest' },
  { preset: 'frugal', writer: 'chat' },
  { preset: 'frugal', writer: 'cheaper' },
  { preset: 'balanced', writer: 'digest' },
  { preset: 'balanced', writer: 'chat' },
  { preset: 'balanced', writer: 'cheaper' },
];
const REPLAYED = OURS.filter(
  ({ preset, writer }) => writer === 'chat' || (preset === 'balanced' && writer === 'digest'),
);
const WANTED = { '200K': 0.75, '1M': 1 / 3 } as const;
const USUAL = 'ours, balanced, by the model in the chat';
const CACHED = 0.8;
const KNOWN = 0.9;

/** What a session of an agent costs by when and by whom it is shortened, by each provider's cache rules and prices. */
export async function benchCost({
  data,
  only,
}: {
  data?: string | undefined;
  only?: string | undefined;
}): Promise<Row[]> {
  const rows: Row[] = [];
  const script = plantedScript(only === undefined ? undefined : Number(only));
  for (const provider of script.messages.length > 0 ? PROVIDERS : []) {
    for (const [name, window] of Object.entries(WINDOWS))
      rows.push(...(await table(script, provider, name as keyof typeof WINDOWS, window)));
  }
  const folder = data === undefined ? undefined : path.join(data, 'transcripts');
  if (folder === undefined || !existsSync(folder)) return rows;
  const real = await importedScripts(folder);
  for (const provider of PROVIDERS) rows.push(...(await replay(real, provider)));
  return rows;
}

const runs = new Map<string, Told>();

async function table(
  script: Script,
  provider: Provider,
  name: keyof typeof WINDOWS,
  window: number,
): Promise<Row[]> {
  const title = `${provider.model}, ${name}`;
  const others = Object.entries(OTHERS).map(([strategy, how]) => ({
    strategy,
    told: runOther(script, provider, { window, strategy: how }),
  }));
  const ours: { strategy: string; told: Told }[] = [];
  for (const { preset, writer } of OURS) {
    const by = { digest: 'the digest', chat: 'the model in the chat', cheaper: 'a cheaper model' }[writer];
    const how = { window, settings: PRESETS[preset], writer };
    const key = [script.name, provider.name, preset, writer].join();
    const known = runs.get(key);
    // A session that came nowhere near the smaller window is the same one in the larger.
    const told = known && known.longest < WINDOWS['200K'] / 2 ? known : await runOurs(script, provider, how);
    runs.set(key, told);
    ours.push({ strategy: `ours, ${preset}, by ${by}`, told });
  }
  const full = others[0]!.told;
  const best = ours
    .filter(({ told }) => told.facts >= KNOWN)
    .toSorted((a, b) => a.told.dollars - b.told.dollars)[0];
  const cheapest = others.every(
    ({ told }) => !best || told.dollars >= best.told.dollars || told.facts < KNOWN,
  );
  const line = ({ strategy, told }: { strategy: string; told: Told }): Row => ({
    work: `${title}: ${strategy}`,
    value: say(told, full),
    target: '',
  });
  const share = best ? best.told.dollars / full.dollars : 1;
  const usual = ours.find(({ strategy }) => strategy === USUAL)!;
  const usualShare = usual.told.dollars / full.dollars;
  const after = best ? best.told.after.read / Math.max(1, best.told.after.sent) : 0;
  return [
    ...others.map(line),
    ...ours.map(line),
    {
      work: `… what a session does where nothing was chosen (${USUAL})`,
      value: `${usualShare.toFixed(2)} × the first, facts ${percent(usual.told.facts)}`,
      target: `≤ ${WANTED[name].toFixed(2)} ×`,
      met: usualShare <= WANTED[name] && usual.told.facts >= KNOWN,
    },
    {
      work: `… our cheapest that knows the planted facts (${best?.strategy ?? 'none'})`,
      value: `${share.toFixed(2)} × the first, ${percent(after)} cached after a compaction`,
      target: `≤ ${WANTED[name].toFixed(2)} ×, the cheapest of all, ≥ 80 %`,
      met: share <= WANTED[name] && cheapest && after >= CACHED,
    },
  ];
}

/** The sum of real sessions, in a window of 200,000. */
async function replay(scripts: readonly Script[], provider: Provider): Promise<Row[]> {
  const window = WINDOWS['200K'];
  const sum = (told: readonly Told[]): Omit<Told, 'facts'> =>
    told
      .map(({ facts: _, ...one }) => one)
      .reduce((all, one) => ({
        ...one,
        dollars: all.dollars + one.dollars,
        sent: all.sent + one.sent,
        read: all.read + one.read,
        after: { sent: all.after.sent + one.after.sent, read: all.after.read + one.after.read },
        compactions: all.compactions + one.compactions,
        longest: Math.max(all.longest, one.longest),
      }));
  const title = `${provider.model}, ${scripts.length} real sessions, 200K`;
  const others = Object.entries(OTHERS).map(([strategy, how]) => ({
    strategy,
    told: sum(scripts.map((script) => runOther(script, provider, { window, strategy: how }))),
  }));
  const rows = others.map(({ strategy, told }) => ({
    work: `${title}: ${strategy}`,
    value: say(told, others[0]!.told),
    target: '',
  }));
  for (const { preset, writer } of REPLAYED) {
    const told: Told[] = [];
    for (const script of scripts)
      told.push(await runOurs(script, provider, { window, settings: PRESETS[preset], writer }));
    rows.push({
      work: `${title}: ours, ${preset}, ${writer}`,
      value: say(sum(told), others[0]!.told),
      target: '',
    });
  }
  return rows;
}

function say(
  { dollars, sent, read, after, facts, compactions }: Omit<Told, 'facts'> & { readonly facts?: number },
  full: Pick<Told, 'dollars'>,
): string {
  const known = facts === undefined ? '' : `facts ${percent(facts)}, `;
  const behind = after.sent > 0 ? `, ${percent(after.read / after.sent)} after` : '';
  return `$${dollars.toFixed(2)} (${(dollars / full.dollars).toFixed(2)} ×), cached ${percent(read / sent)}${behind}, ${known}${compactions} compactions`;
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
