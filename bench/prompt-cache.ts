import { createHash } from 'node:crypto';
import { createAutoCompaction, digestEntries, PRESETS } from '../src/compaction/index.ts';
import { buildContext } from '../src/context/index.ts';
import { createMemoryStore, createSession, type Entry, type Summary } from '../src/index.ts';
import { readConversation } from '../src/session/index.ts';
import { renderSummary } from '../src/summary/index.ts';
import { countText } from '../src/tokens/index.ts';
import type { Row } from './measure.ts';
import { messageAt } from './messages.ts';

const TURNS = 500;
const BUDGET = { window: 64_000, outputLimit: 8_000 };
const TRIGGER = 40_000;
const KEEP = 12_000;

/** One message of a request, as a provider's cache sees it. */
interface Sent {
  readonly hash: string;
  readonly tokens: number;
}

/** How much of each request was already in the one before, for our tiers and for what others do. */
export async function benchPromptCache(): Promise<Row[]> {
  const tiers = await ourTiers();
  const running = runningSummary();
  const rolling = rollingWindow();
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const between = kept(
    tiers.requests.filter((_, index) => !tiers.compacted.has(index)),
    tiers.requests,
  );
  return [
    {
      work: `prefix kept between requests, ${TURNS} turns: ours, between compactions`,
      value: percent(between),
      target: '≥ 97 %',
      met: between >= 0.97,
    },
    { work: '… ours, all requests', value: percent(keptAll(tiers.requests)), target: '' },
    { work: '… a running summary, all requests', value: percent(keptAll(running.requests)), target: '' },
    { work: '… a rolling window, all requests', value: percent(keptAll(rolling)), target: '' },
    {
      work: 'times a message was summarised, worst case: ours',
      value: String(tiers.worst),
      target: '≤ 6',
      met: tiers.worst <= 6,
    },
    { work: '… a running summary', value: String(running.worst), target: '' },
    {
      work: 'compactions made: ours / running summary',
      value: `${tiers.compacted.size} / ${running.compactions}`,
      target: '',
    },
  ];
}

async function ourTiers() {
  const store = createMemoryStore();
  const session = await createSession(store, { id: 's' });
  const settings = { ...PRESETS.balanced, trigger: { tokens: TRIGGER }, keep: { tokens: KEEP } };
  const measure = async () => {
    const { frontier } = await readConversation(store, session.info);
    return {
      tokens: sum(frontier),
      room: BUDGET.window,
      messages: frontier.length,
      lines: session.info.head,
    };
  };
  const auto = createAutoCompaction(session, { settings, measure });
  const requests: Sent[][] = [];
  const compacted = new Set<number>();
  for (let turn = 0; turn < TURNS; turn++) {
    await session.append([messageAt(turn * 3)]);
    if ((await auto.consider()).did === 'compact') compacted.add(requests.length);
    const { instructions, messages } = buildContext(
      { head: [{ part: 'system', text: 'Be useful.' }], ...(await readConversation(store, session.info)) },
      BUDGET,
    );
    requests.push([instructions, ...messages].map(sent));
    await session.append([messageAt(turn * 3 + 1), messageAt(turn * 3 + 2)]);
  }
  const notes = await session.read({ only: 'notes' });
  const levels = notes.map(({ body }) => (body.kind === 'compaction' ? body.level : 0));
  return { requests, compacted, worst: Math.max(0, ...levels) };
}

/** What most programs do: one summary, written anew from itself and the messages that leave. */
function runningSummary() {
  let summary: Summary | undefined;
  let entries: Entry[] = [];
  let compactions = 0;
  const requests: Sent[][] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    entries.push(entryAt(turn * 3));
    if (sum(entries) > TRIGGER) {
      let cut = entries.length;
      for (let left = KEEP; cut > 0 && left >= entries[cut - 1]!.tokens; cut--)
        left -= entries[cut - 1]!.tokens;
      summary = digestEntries(entries.slice(0, cut), {
        maxTokens: 2_000,
        ...(summary && { earlier: [summary] }),
      });
      entries = entries.slice(cut);
      compactions++;
    }
    requests.push(
      ['Be useful.', ...(summary ? [renderSummary(summary)] : []), ...entries.map(({ body }) => body)].map(
        sent,
      ),
    );
    entries.push(entryAt(turn * 3 + 1), entryAt(turn * 3 + 2));
  }
  return { requests, compactions, worst: compactions };
}

/** The oldest messages fall out, one by one. */
function rollingWindow(): Sent[][] {
  const entries: Entry[] = [];
  const requests: Sent[][] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    entries.push(entryAt(turn * 3));
    while (sum(entries) > TRIGGER) entries.shift();
    requests.push(['Be useful.', ...entries.map(({ body }) => body)].map(sent));
    entries.push(entryAt(turn * 3 + 1), entryAt(turn * 3 + 2));
  }
  return requests;
}

function entryAt(index: number): Entry {
  const body = messageAt(index);
  return { id: '', seq: index + 1, at: 0, tokens: countText(JSON.stringify(body)), body };
}

function sent(message: unknown): Sent {
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  return { hash: createHash('sha256').update(text).digest('base64'), tokens: countText(text) };
}

function keptAll(requests: readonly Sent[][]): number {
  return kept(requests, requests);
}

/** Mean share of the request before that the given ones begin with. */
function kept(chosen: readonly Sent[][], requests: readonly Sent[][]): number {
  const shares = chosen.flatMap((request) => {
    const before = requests[requests.indexOf(request as Sent[]) - 1];
    if (!before) return [];
    const end = before.findIndex(({ hash }, index) => request[index]?.hash !== hash);
    return [sum(end < 0 ? before : before.slice(0, end)) / sum(before)];
  });
  return sum(shares.map((tokens) => ({ tokens }))) / shares.length;
}

function sum(list: readonly { readonly tokens: number }[]): number {
  return list.reduce((total, { tokens }) => total + tokens, 0);
}
