import type { SummaryLine } from '../../record/index.ts';
import { type Checkpoint, isFirm, sayItem, sayLine } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';

/** A checkpoint with what the summaries that still stand say beside its lists, oldest first. */
export interface ShownCheckpoint extends Checkpoint {
  /** What the work was for at the beginning, and since. */
  readonly goal?: readonly SummaryLine[];
  readonly dropped?: readonly SummaryLine[];
  readonly overview?: readonly string[];
}

type ShownList =
  | 'goal'
  | 'completed'
  | 'pending'
  | 'decisions'
  | 'blockers'
  | 'overview'
  | 'dropped'
  | 'facts'
  | 'files';

/** Numbers of lines that a request has no room for, by their lists. */
export type LeftOutLines = Partial<Record<ShownList, number>>;

const SECTIONS: readonly (readonly [title: string, list: ShownList])[] = [
  ['Goal', 'goal'],
  ['Completed', 'completed'],
  ['Still To Do', 'pending'],
  ['Key Decisions', 'decisions'],
  ['Current Blockers', 'blockers'],
  ['Overview', 'overview'],
  ['Tried and Dropped', 'dropped'],
  ['Known Facts', 'facts'],
  ['Files Touched', 'files'],
];

/** The order in which lists are shortened, and the least that each keeps: goal, decisions and blockers go last. */
const ORDER: readonly (readonly [list: ShownList, least: number])[] = [
  ['files', 0],
  ['facts', 0],
  ['dropped', 0],
  ['overview', 1],
  ['completed', 3],
  ['pending', 3],
  ['goal', 3],
  ['decisions', 4],
  ['blockers', 4],
];

interface RenderOptions {
  readonly title?: string;
  readonly maxTokens?: number;
  /** The session that has every line, for the note about those that are not shown. */
  readonly session?: string;
}

/**
 * The checkpoint as a request shows it; empty while nothing has been compacted. With `maxTokens` no more lines go than
 * have to: in each list first those that were neither stated nor pinned, the oldest first, then those in the middle, because the
 * beginning of the work and its newest lines are needed most. Where not even the least of each list fits, a note says so.
 */
export function renderWorkCheckpoint(
  checkpoint: ShownCheckpoint,
  {
    title = '# Checkpoint (Work Progress)',
    maxTokens = Number.POSITIVE_INFINITY,
    session,
  }: RenderOptions = {},
): { readonly text: string; readonly leftOut: LeftOutLines } {
  const lines = new Map(SECTIONS.map(([, list]) => [list, linesOf(checkpoint, list)]));
  if ([...lines.values()].every((list) => list.length === 0)) return { text: '', leftOut: {} };
  const most = new Map<ShownList, number>();
  const where = session === undefined ? '' : `: the checkpoint of session ${session} has them`;
  const render = () =>
    [
      title,
      ...SECTIONS.flatMap(([name, list]) => section(name, shorten(lines.get(list)!, most.get(list), where))),
    ].join('\n');
  const fits = (list: ShownList, count: number) => {
    most.set(list, count);
    return countText(render()) <= maxTokens;
  };
  let isFit = countText(render()) <= maxTokens;
  for (const [list, least] of isFit ? [] : ORDER) {
    let [low, high] = [Math.min(least, lines.get(list)!.length), lines.get(list)!.length];
    if (low === high) continue;
    isFit = fits(list, low);
    while (isFit && low < high - 1) {
      const middle = Math.floor((low + high) / 2);
      if (fits(list, middle)) low = middle;
      else high = middle;
    }
    most.set(list, low);
    if (isFit) break;
  }
  const left = SECTIONS.flatMap(([, list]) => {
    const count = lines.get(list)!.length - (isFit ? (most.get(list) ?? lines.get(list)!.length) : 0);
    return count > 0 ? [[list, count] as const] : [];
  });
  const all = left.reduce((sum, [, count]) => sum + count, 0);
  const nothing = `${title}\n\n(${all} lines not shown${where})`;
  const text = isFit ? render() : countText(nothing) <= maxTokens ? nothing : '';
  return { text, leftOut: Object.fromEntries(left) };
}

type Shown = Omit<SummaryLine, 'from'>;

function linesOf(checkpoint: ShownCheckpoint, list: ShownList): readonly Shown[] {
  if (list === 'overview') return (checkpoint.overview ?? []).map((text) => ({ text }));
  if (list === 'files')
    return checkpoint.files.map(({ path, operations }) => ({ text: `${path} (${operations.join(', ')})` }));
  // The first line of the goal is needed as much as the newest.
  if (list === 'goal') return (checkpoint.goal ?? []).map((line) => ({ ...line, stated: true }));
  return checkpoint[list] ?? [];
}

function section(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', `## ${name}:`, '', ...items];
}

function shorten(lines: readonly Shown[], most: number | undefined, where: string): string[] {
  const item = (line: Shown) => sayItem(sayLine(line));
  if (most === undefined || lines.length <= most) return lines.map(item);
  if (most === 0) return [];
  const kept = keptOf(lines, most);
  const gap = lines.findIndex((line) => !kept.has(line));
  const shown = lines.filter((line) => kept.has(line)).map(item);
  return shown.toSpliced(gap, 0, `- (${lines.length - most} more, not shown${where})`);
}

function keptOf(lines: readonly Shown[], most: number): ReadonlySet<Shown> {
  const firm = lines.filter(isFirm);
  if (firm.length <= most) {
    const others = lines.filter((line) => !isFirm(line));
    return new Set([...firm, ...others.slice(others.length - (most - firm.length))]);
  }
  const first = Math.floor(most / 3);
  return new Set([...firm.slice(0, first), ...firm.slice(firm.length - (most - first))]);
}
