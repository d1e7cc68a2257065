import { digestEntries } from '../src/compaction/index.ts';
import type { Entry, Message, Summary } from '../src/index.ts';
import { renderSummary } from '../src/summary/index.ts';
import { countPart, countText } from '../src/tokens/index.ts';
import { type Block, charge, createBill, type Provider } from './cost-caches.ts';
import { createClock } from './cost-clock.ts';
import { HEAD_TOKENS, type Told } from './cost-ours.ts';
import type { Script } from './cost-script.ts';

/** How others shorten a conversation. */
export interface Strategy {
  /** Tokens at which it is shortened, of the window. */
  readonly trigger: (window: number) => number;
  readonly keep: number;
  readonly summaryTokens: number;
  /** The provider summarises what it has read, in the request itself; otherwise a call of its own does. */
  readonly native?: true;
}

const AROUND_TOKENS = 1_200;

/** One summary, written anew each time from itself and what leaves, and a mark at the end as most programs set it. */
export function runOther(
  { messages, facts }: Script,
  provider: Provider,
  { window, strategy }: { readonly window: number; readonly strategy: Strategy },
): Told {
  const bill = createBill();
  const cache = provider.createCache();
  const clock = createClock();
  const trigger = strategy.trigger(window);
  let summary: Summary | undefined;
  let kept: Entry[] = [];
  let summaries = 0;
  let longest = 0;
  const blocksNow = (): Block[] => {
    const parts = [{ hash: 'head', tokens: HEAD_TOKENS }];
    if (summary) parts.push({ hash: `summary ${summaries}`, tokens: countText(renderSummary(summary)) });
    parts.push(...kept.map(({ seq, tokens }) => ({ hash: String(seq), tokens })));
    let prefix = '';
    return parts.map(({ hash, tokens }) => {
      prefix = chain(prefix, hash);
      return { prefix, tokens };
    });
  };
  const sum = (list: readonly { readonly tokens: number }[]) =>
    list.reduce((all, { tokens }) => all + tokens, 0);

  function compact(): void {
    let cut = kept.length;
    for (let left = strategy.keep; cut > 0 && left >= kept[cut - 1]!.tokens; cut--)
      left -= kept[cut - 1]!.tokens;
    while (cut < kept.length && !isUser(kept[cut]!)) cut++;
    const gone = kept.slice(0, cut);
    if (gone.length === 0) return;
    const earlier = summary ? [summary] : [];
    const blocks = blocksNow();
    summary = digestEntries(gone, { maxTokens: strategy.summaryTokens, earlier });
    const outputTokens = countText(renderSummary(summary));
    const own = { inputTokens: sum(gone) + AROUND_TOKENS, outputTokens };
    const usage = strategy.native
      ? cache.take({ blocks, marks: [1, blocks.length], output: outputTokens, at: clock.now })
      : own;
    charge(bill, usage, provider.price, true);
    kept = kept.slice(cut);
    summaries++;
    bill.compactions++;
  }

  for (const [index, body] of messages.entries()) {
    const tokens = body.parts.reduce((all, part) => all + countPart(part), 4);
    if (body.role === 'user' && index > 0) clock.pause();
    if (body.role === 'assistant') {
      if (sum(blocksNow()) > trigger) compact();
      const blocks = blocksNow();
      const usage = cache.take({ blocks, marks: [1, blocks.length], output: tokens, at: clock.step() });
      longest = Math.max(longest, usage.inputTokens);
      charge(bill, usage, provider.price);
    }
    kept.push(entryOf(body, index, tokens));
  }
  const text = JSON.stringify([summary && renderSummary(summary), kept.map(({ body }) => body)]);
  const known = facts.filter(({ value }) => text.includes(value)).length;
  return { ...bill, longest, facts: facts.length === 0 ? 1 : known / facts.length };
}

const chains = new Map<string, string>();
function chain(prefix: string, hash: string): string {
  const key = `${prefix}/${hash}`;
  const known = chains.get(key) ?? String(chains.size);
  chains.set(key, known);
  return known;
}

function isUser({ body }: Entry): boolean {
  return body.kind === 'message' && body.role === 'user';
}

function entryOf(body: Message, index: number, tokens: number): Entry {
  return { id: `entry-${index}`, seq: index + 1, at: 0, tokens, body };
}
