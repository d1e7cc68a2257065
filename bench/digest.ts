import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import { digestEntries } from '../src/compaction/digest/digest-entries.ts';
import type { Entry, Summary } from '../src/index.ts';
import { SUMMARY_LISTS } from '../src/record/index.ts';
import { renderSummary } from '../src/summary/index.ts';
import { assistant, logOf, user } from '../src/testing/index.ts';
import { BASELINES } from './digest-baselines.ts';
import { type Conversation, type Kept, loadLocomo, mean, scoreKept } from './locomo.ts';
import { format, median, type Row } from './measure.ts';

const SHARES = [
  { share: 0.05, evidence: 12.5, answer: 58 },
  { share: 0.1, evidence: 23, answer: 69 },
  { share: 0.2, evidence: 45, answer: 88 },
];
/** The first ones were looked at while the rules were made. */
const TUNED_ON = 3;
const ROUNDS = 5;

/** What survives of long conversations with no model, how fast that goes, and what a long session costs. */
export async function benchDigest(): Promise<Row[]> {
  return [...quality(), ...longSession()];
}

function quality(): Row[] {
  const conversations = loadLocomo();
  if (!conversations) {
    return [
      {
        work: 'what survives of the LoCoMo conversations',
        value: 'the data is not beside the project',
        target: '',
      },
    ];
  }
  const entries = conversations.map(toEntries);
  const ours = SHARES.map(({ share, evidence, answer }): Row => {
    const scores = scoreAll(
      conversations,
      (conversation, budget) =>
        keptIn(
          digestWithin(entries[conversations.indexOf(conversation)]!, budget),
          entries[conversations.indexOf(conversation)]!,
        ),
      share,
    );
    const all = meanScore(scores);
    return {
      work: `digest at ${share * 100} %: evidence / answer words, all ten (the seven not tuned on)`,
      value: `${say(all)} (${say(meanScore(scores.slice(TUNED_ON)))})`,
      target: `≥ ${evidence} / ≥ ${answer}`,
      met: all.evidence >= evidence && all.answer >= answer,
    };
  });
  const baselines = Object.entries(BASELINES).map(([name, baseline]): Row => {
    const values = SHARES.map(({ share }) =>
      say(meanScore(scoreAll(conversations, (one, budget) => baseline(one, budget, countTokens), share))),
    );
    return { work: `… ${name} at 5, 10, 20 %`, value: values.join(', '), target: '' };
  });
  return [scored(conversations), ...ours, ...baselines, speed(conversations, entries)];
}

type Scores = { readonly evidence: number; readonly answer: number };

function scoreAll(
  conversations: readonly Conversation[],
  keep: (conversation: Conversation, budget: number) => Kept[],
  share: number,
): Scores[] {
  return conversations.map((one) => scoreKept(one, keep(one, tokensOf(one) * share)));
}

/** Each conversation counts alike, however many questions it has. */
function meanScore(scores: readonly Scores[]): Scores {
  return {
    evidence: mean(scores.map(({ evidence }) => evidence)),
    answer: mean(scores.map(({ answer }) => answer)),
  };
}

const say = ({ evidence, answer }: Scores) => `${evidence.toFixed(1)} / ${answer.toFixed(1)}`;

function scored(conversations: readonly Conversation[]): Row {
  const sum = (of: (one: Conversation) => number) => conversations.reduce((total, one) => total + of(one), 0);
  const questions = sum(({ questions: list }) => list.length);
  const total = sum(({ references }) => references.total);
  const unresolved = sum(({ references }) => references.unresolved);
  return {
    work: 'LoCoMo questions scored, adversarial ones left out; tokens by o200k; mean of the conversations',
    value: `${questions}; ${unresolved} of ${total} evidence references name no turn and are dropped`,
    target: '',
  };
}

export function tokensOf({ turns }: Conversation): number {
  return turns.reduce((sum, { text }) => sum + countTokens(text) + 3, 0);
}

/** The first speaker in the person's place, the second in the agent's. */
export function toEntries({ turns }: Conversation): Entry[] {
  return logOf(
    ...turns.map(({ text, speaker }) => (speaker === turns[0]!.speaker ? user(text) : assistant(text))),
  );
}

/**
 * The largest digest that o200k counts within the budget. The digest keeps to its own estimate, which is a few percent
 * high; budgets here are exact, as they are for the baselines.
 */
export function digestWithin(entries: readonly Entry[], budget: number): Summary {
  let maxTokens = Math.floor(budget * 1.1);
  for (;;) {
    const summary = digestEntries(entries, { maxTokens });
    const over = countTokens(renderSummary(summary)) - budget;
    if (over <= 0) return summary;
    maxTokens -= Math.ceil(over);
  }
}

/** All that the summary says. The overview names no entries, so it counts for answers only. */
export function keptIn(summary: Summary, entries: readonly Entry[]): Kept[] {
  const places = new Map(entries.map(({ id }, index) => [id, index]));
  const turnsOf = (from: readonly string[]) => from.flatMap((id) => places.get(id) ?? []);
  const { overview, ledger } = summary;
  return [
    { text: overview, turns: [] },
    ...SUMMARY_LISTS.flatMap((list) => summary[list] ?? []).map(({ text, from }) => ({
      text,
      turns: turnsOf(from),
    })),
    ...ledger.map(({ text, entry }) => ({ text, turns: turnsOf([entry]) })),
  ];
}

function speed(conversations: readonly Conversation[], entries: readonly Entry[][]): Row {
  const sizes = conversations.map(tokensOf);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    entries.forEach((log, index) => {
      digestEntries(log, { maxTokens: Math.floor(sizes[index]! * 0.1) });
    });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / total;
  });
  const ms = median(rounds);
  return {
    work: 'digest, per 1,000 tokens, processor time',
    value: `${format(ms)} ms`,
    target: '≤ 2 ms',
    met: ms <= 2,
  };
}

function longSession(): Row[] {
  const script = path.join(import.meta.dirname, 'digest-child.ts');
  const rounds = Array.from({ length: ROUNDS }, () =>
    JSON.parse(execFileSync(process.execPath, ['--expose-gc', script], { encoding: 'utf8' })),
  );
  const cpu = median(rounds.map((round) => round.cpu));
  const grown = median(rounds.map((round) => round.grown));
  const size = `10,000 messages, ${format(rounds[0].bytes / 1e6)} MB, first digest of the process`;
  return [
    {
      work: `digest of a session: ${size}, processor time`,
      value: `${format(cpu)} ms`,
      target: '≤ 1,500 ms',
      met: cpu <= 1500,
    },
    { work: '… memory grown', value: `${format(grown)} MB`, target: '≤ 150 MB', met: grown <= 150 },
  ];
}
