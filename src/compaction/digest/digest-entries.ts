import {
  type Entry,
  type EntryId,
  SUMMARY_LISTS,
  type Summary,
  type SummaryLine,
} from '../../record/index.ts';
import { renderSummary } from '../../summary/index.ts';
import {
  cuesFor,
  findDecisions,
  functionWords,
  type Line,
  ledgerOf,
  piecesOfEntries,
  REMINDS,
  splitSentences,
  todoKey,
} from '../../text/index.ts';
import { countText } from '../../tokens/index.ts';
import { mostThatFit } from '../most-that-fit.ts';
import { buildSummary } from './build-summary.ts';
import { carriedGoal, carryEarlier, earlierLines, earlierSummaries, goneIn } from './carry-earlier.ts';
import { orderLines } from './order-lines.ts';
import { type DigestItem, listedItems, type Material, rankItems } from './rank-items.ts';
import { rankUnits } from './rank-units.ts';
import { readBlockers } from './read-blockers.ts';
import { readGoal } from './read-goal.ts';
import { readRequests } from './read-requests.ts';
import { readSources } from './read-sources.ts';
import { readState } from './read-state.ts';
import { type DigestTurn, momentsOf, readTurns } from './read-turns.ts';
import { readUnits } from './read-units.ts';
import { settleOpen } from './settle-open.ts';
import { isGone, linesStated, openPoints } from './stated-lines.ts';
import { withoutSuperseded } from './supersede.ts';
import { talkLines } from './talk-lines.ts';
import { withoutUndone } from './undone.ts';
import type { UnitSource } from './unit-rows.ts';
import { workLines } from './work-lines.ts';

/** Changes whenever the rules do, so that a summary says which rules made it. */
export const digestVersion = 'digest-8';

interface DigestOptions {
  /** Most tokens that the summary may have when it is rendered. */
  readonly maxTokens: number;
  readonly background?: string;
  /** Something was summarised before: the first message says what the talk goes on with, and not what it is for. */
  readonly goesOn?: boolean;
  /** Summaries of what came before, oldest first, to be merged into this one: their least important lines go first. */
  readonly earlier?: readonly Summary[];
  /** The request that the entries begin in the middle of: their goal. */
  readonly asked?: Entry;
  /** What follows and stays. It is not summarised, but what it takes back is not said. */
  readonly after?: readonly Entry[];
}

/**
 * A summary made without a model: the same for the same entries, always. Every line is a sentence of the range, whole and
 * word for word, chosen and put under its heading by what it does: asks, decides, forbids, reports, leaves open.
 */
export function digestEntries(entries: readonly Entry[], options: DigestOptions): Summary {
  return rankedDigest(entries, options).summary;
}

/** The digest, and its items with the most important first. */
export function rankedDigest(
  entries: readonly Entry[],
  { maxTokens, background, goesOn = false, earlier = [], asked, after = [] }: DigestOptions,
): { readonly summary: Summary; readonly ranked: readonly DigestItem[] } {
  const readings = piecesOfEntries(entries);
  const summaries = earlierSummaries(earlier, entries);
  const carried = carryEarlier(summaries);
  const ledger = ledgerOf(readings, earlier);
  const following = new Set(after.map(({ id }) => id));
  const heard = readTurns([...piecesOfEntries(asked ? [asked] : []), ...readings, ...piecesOfEntries(after)]);
  const turns = heard.filter(({ user, agent }) => !following.has((user ?? agent[0])?.entry ?? ''));
  const work = turns.some(({ tools }) => tools);
  const places = placesOf(entries, summaries);
  const placeOf = (from: readonly EntryId[]) =>
    from.reduce((place, id) => Math.max(place, places.get(id) ?? -1), Number.NEGATIVE_INFINITY);
  const cues = cuesFor(
    heard.flatMap(({ user, agent }) => [user?.text ?? '', ...agent.slice(-1).map(({ text }) => text)]),
  );
  const requests = readRequests(readings);
  const { kept: said, undone } = withoutUndone(
    [
      ...(work ? workLines(heard, { cues, requests }) : talkLines(heard, { cues, requests })),
      ...linesStated(ledger, momentsOf(entries, heard)),
    ],
    heard,
    cues,
  );
  const chat = !work && turns.length > 0 && !decides(said) && !namesFigures(turns);
  const gone = goneIn(entries);
  const standing = withoutSuperseded(saidOnce(withoutRuled([...earlierLines(carried), ...said])));
  const kept = settleOpen(standing.kept.map(answeredAfter), heard.length - 1).filter(
    (line) =>
      !line.from.some((id) => following.has(id)) &&
      (line.act === 'strict' || !line.from.every((id) => id === asked?.id)) &&
      !isGone(line, gone) &&
      !(chat && isChatter(line, turns.length)),
  );
  const firm = chat ? kept.filter(({ act, noted }) => noted === true || act === 'carried') : [];
  // Behind an older summary, a request is what it is for now; an account alone is not.
  const opensWithWork = requests.all.some(
    (request) => request.work && request.entry === turns[0]?.user?.entry,
  );
  const goal = readGoal(turns, {
    work,
    cues,
    goesOn: goesOn || (summaries.length > 0 && !opensWithWork),
    idle: chat && turns.length >= LONG_CHAT,
  });
  // In talk that settles things every sentence is a line already; what tools and documents say is not.
  const sources = readSources(readings).filter(({ by }) => chat || work || by === 'tool');
  const units = readUnits(sources, functionWords(sampleOf(sources)));
  const items = rankItems(
    {
      ...headOf(),
      lines: orderLines(
        firm.length > 0 ? kept.filter((line) => !firm.includes(line)) : kept,
        work ? WORK : TALK,
      ),
      firm: orderLines(firm, TALK),
      withdrawn: [...standing.withdrawn, ...undone],
      listed: new Set(
        kept.flatMap(({ section, text, key }) =>
          section === 'facts'
            ? []
            : [
                key,
                ...text
                  .split(' → ')
                  .slice(text.includes(' → ') ? 0 : 1)
                  .map(todoKey),
              ],
        ),
      ),
      files: ledger.files,
      ledger: ledger.ledger.filter(({ kind }) => !LISTED_ELSEWHERE.has(kind)),
      rows: { units, sources, ranking: rankUnits(units, sources) },
      placeOf,
      chat,
    },
    maxTokens * 1.25 + 100,
  );
  const before = fitBackground(background ?? earlier[0]?.background ?? NO_BACKGROUND, maxTokens);
  const isGlued = gluedIn(sources);
  const build = (count: number) => buildSummary(items.slice(0, count), { background: before, isGlued });
  const most = mostThatFit(items.length, (count) => tokensOf(build(count)) <= maxTokens);
  return { summary: build(most), ranked: items.slice(0, most) };

  /** A proposal taken up by the first words behind the range was made in it: "yes" says nothing without that. */
  function answeredAfter(line: Line): Line {
    if (line.act !== 'adopted' && line.act !== 'choice') return line;
    const from = line.from.filter((id) => !following.has(id));
    return from.length > 0 && from.length < line.from.length ? { ...line, from } : line;
  }

  function headOf(): Pick<Material, 'head' | 'shifts'> {
    const [first, ...later] = carriedGoal(summaries);
    const own = goal.lines.map(({ text, from }) => ({ text, from: [...from] }));
    const state = goal.latest ? [{ text: goal.latest.text, from: [...goal.latest.from] }] : carried.state;
    const now = work ? readState(turns, { lines: kept, following, cues }) : [];
    return {
      head: [
        ...listedItems('goal', first ? [first, ...own] : own, placeOf),
        ...listedItems('pending', withTopics(openPoints(requests, ledger, { placeOf }), kept), placeOf),
        ...listedItems('blockers', readBlockers(readings, carried.blockers), placeOf),
        ...listedItems('state', state, placeOf),
      ],
      shifts: [...listedItems('state', now, placeOf), ...listedItems('goal', later.reverse(), placeOf)],
    };
  }
}

/** Of lines that say the same in one section, the one that is worth most, noted by the agent if any of them is. */
function saidOnce(lines: readonly Line[]): Line[] {
  const same = Map.groupBy(lines, ({ section, key }) => `${section} ${key}`);
  return Array.from(same.values(), (group) => {
    const best = group.reduce((one, other) => (other.value > one.value ? other : one));
    return group.some(({ noted }) => noted) ? { ...best, noted: true } : best;
  });
}

/** "Could you ask?" says little: the line that has the sentence before it takes its place. */
function withTopics(points: readonly SummaryLine[], lines: readonly Line[]): SummaryLine[] {
  return points.map((point) => {
    const whole = lines.find(({ section, text }) => section === 'pending' && text.endsWith(` ${point.text}`));
    return whole ? { text: whole.text, from: [...whole.from] } : point;
  });
}

/** A rule that was also taken for a decision, because it was named as one, stands in the list of rules alone. */
function withoutRuled(lines: readonly Line[]): Line[] {
  const rules = new Map<EntryId, string>();
  for (const { act, from, key } of lines)
    if (act === 'strict') for (const id of from) rules.set(id, `${rules.get(id) ?? ''} ${key}`);
  const isRuled = ({ act, section, from, key }: Line) =>
    act === 'told' && section === 'decisions' && from.some((id) => rules.get(id)?.includes(key));
  return lines.filter((line) => !isRuled(line));
}

/** Carried lines stand before new ones, in their order. */
function placesOf(entries: readonly Entry[], summaries: readonly Summary[]): Map<EntryId, number> {
  const carried = new Set(
    summaries
      .flatMap((summary) => SUMMARY_LISTS.flatMap((list) => summary[list] ?? []))
      .flatMap(({ from }) => from),
  );
  const places = new Map<EntryId, number>([...carried].map((id, at) => [id, at - carried.size]));
  entries.forEach(({ id }, at) => {
    places.set(id, at);
  });
  return places;
}

/** Kinds of the ledger that lines cover; and a figure says nothing without its sentence. */
export const LISTED_ELSEWHERE: ReadonlySet<string> = new Set(['decision', 'todo', 'next', 'done', 'figure']);

const WORK = { cost: 0.3, coverage: false } as const;
const TALK = { cost: 0.47, coverage: true } as const;

const DECIDES = new Set<Line['act']>(['restated', 'adopted', 'strict', 'weak', 'promise', 'changed']);
/** Small talk has a third as many lines that settle something as lines that merely tell, deciding talk as many or more. */
const DECIDING = 0.6;

function decides(lines: readonly Line[]): boolean {
  const settling = lines.filter(({ act }) => DECIDES.has(act)).length;
  const telling = lines.filter(({ act, by }) => by === 'user' && (act === 'fact' || act === 'done')).length;
  return settling >= telling * DECIDING;
}

/** "See you at the event!" settles nothing: so many words a line of small talk needs to be more than that. */
const LEAST_IN_CHAT = 12;
/** A few turns are too few to be taken for small talk. */
const LONG_CHAT = 12;

function isChatter({ act, section, noted, by, text, words }: Line, turns: number): boolean {
  if (act === 'carried' || noted || REMINDS.test(text)) return false;
  if (section === 'facts') return true;
  if (turns < LONG_CHAT || words.size >= LEAST_IN_CHAT) return false;
  return by === 'agent' || findDecisions(text, { byUser: true }).length === 0;
}

const FIGURES = 0.1;

/** People who settle something name dates, sums and counts; in small talk one message in fifty does. */
function namesFigures(turns: readonly DigestTurn[]): boolean {
  const asked = turns.flatMap(({ user }) => (user ? [user.text] : []));
  return asked.filter((text) => /\p{N}/u.test(text)).length >= asked.length * FIGURES;
}

const NO_BACKGROUND = 'Initial session.';

function tokensOf(summary: Summary): number {
  return countText(renderSummary(summary));
}

/** Whole sentences in a quarter of the room at most: the range itself comes first. */
function fitBackground(background: string, maxTokens: number): string {
  const fits = (text: string) => countText(text) * 4 <= maxTokens;
  if (fits(background)) return background;
  const sentences = splitSentences(background.replaceAll(HEADINGS, ''));
  const first = (count: number) => sentences.slice(0, count).join(' ');
  return first(mostThatFit(sentences.length, (count) => fits(first(count))));
}

const HEADINGS = /^#+ .*$/gm;

const GLUE = 12;

/** Whether two sentences follow each other without a space in what an entry says. */
function gluedIn(sources: readonly UnitSource[]): Parameters<typeof buildSummary>[1]['isGlued'] {
  let texts: Map<EntryId, string> | undefined;
  const textsOf = () => {
    const found = new Map<EntryId, string>();
    for (const { from, text } of sources) for (const id of from) found.set(id, (found.get(id) ?? '') + text);
    return found;
  };
  return (from, one, other) => {
    texts ??= textsOf();
    return from.some((id) => texts?.get(id)?.includes(one.slice(-GLUE) + other.slice(0, GLUE)));
  };
}

const SAMPLE = 6000;

/** Some of what people and models wrote, from the beginning and from the end. */
function sampleOf(sources: readonly UnitSource[]): string {
  const talk = sources.filter(({ by }) => by !== 'tool');
  const some = talk.length <= 60 ? talk : [...talk.slice(0, 30), ...talk.slice(-30)];
  return some.map(({ text }) => text.slice(0, SAMPLE / 30)).join(' ');
}
