import { CheckpointList, type SummaryFile, type SummaryLine } from '../record/index.ts';
import {
  bareWords,
  type Checkpoint,
  finishesTask,
  pairLines,
  sameLine,
  sayTheSame,
} from '../summary/index.ts';
import { disagree } from './disagree.ts';

/** One line that one side changed since the two had everything in common. */
export interface LineChange {
  readonly list: CheckpointList;
  readonly change: 'added' | 'removed' | 'reworded';
  /** As it is now; of a removed one, as it was. */
  readonly line: SummaryLine;
  readonly was?: SummaryLine;
  /** The finished task, if that is why a line is gone. */
  readonly closedBy?: SummaryLine;
}

/** What one side says where the two disagree. Without a line it took the line away, because of `closedBy` if known. */
export interface Side {
  readonly list: CheckpointList;
  readonly line?: SummaryLine;
  readonly closedBy?: SummaryLine;
}

export interface Conflict {
  /**
   * `wording`: both say it, differently. `removal`: one took away what the other changed. `choice`: both speak of one
   * thing and say different things of it. `done`: finished here, open there.
   */
  readonly about: 'wording' | 'removal' | 'choice' | 'done';
  readonly list: CheckpointList;
  readonly base?: SummaryLine;
  readonly ours: Side;
  readonly theirs: Side;
}

export interface ThreeCheckpoints {
  readonly base: Checkpoint;
  readonly ours: Checkpoint;
  readonly theirs: Checkpoint;
}

export interface Comparison {
  readonly ours: readonly LineChange[];
  readonly theirs: readonly LineChange[];
  /** Those of theirs that ours can take as they are. */
  readonly clean: readonly LineChange[];
  /** Those of theirs that ours has made too. */
  readonly same: readonly LineChange[];
  /** Those of theirs that are left: each meets something of ours that says otherwise. */
  readonly conflicts: readonly Conflict[];
  /** What each side did to files since. Touching is a fact on both sides, so files never conflict. */
  readonly files: { readonly ours: readonly SummaryFile[]; readonly theirs: readonly SummaryFile[] };
}

/** What two checkpoints say differently since a third that both come from. Pure; no side is taken. */
export function compareCheckpoints({ base, ours, theirs }: ThreeCheckpoints): Comparison {
  const mine = changesOf(base, ours);
  const yours = changesOf(base, theirs);
  const clean: LineChange[] = [];
  const same: LineChange[] = [];
  const conflicts: Conflict[] = [];
  const grounds = groundsOf(mine, { ours, theirs });
  for (const change of yours) {
    const met = meet(change, grounds);
    if (met === 'free') clean.push(change);
    else if (met === 'same') same.push(change);
    else conflicts.push(met);
  }
  const files = { ours: filesSince(base, ours), theirs: filesSince(base, theirs) };
  return { ours: mine, theirs: yours, clean, same, conflicts, files };
}

/** Lines that only changed their case or punctuation did not change. */
function changesOf(base: Checkpoint, now: Checkpoint): LineChange[] {
  const { added: done } = pairLines(base.completed, now.completed);
  return CheckpointList.options.flatMap((list): LineChange[] => {
    const { added, removed, reworded } = pairLines(base[list], now[list]);
    return [
      ...added.map((line): LineChange => ({ list, change: 'added', line })),
      ...reworded
        .filter(([was, line]) => !sayTheSame(was.text, line.text))
        .map(([was, line]): LineChange => ({ list, change: 'reworded', line, was })),
      ...removed.map((line): LineChange => ({ list, change: 'removed', line, ...closing(list, line, done) })),
    ];
  });
}

function closing(
  list: CheckpointList,
  line: SummaryLine,
  done: readonly SummaryLine[],
): Pick<LineChange, 'closedBy'> {
  const closedBy = list === 'completed' ? undefined : done.find(({ text }) => finishesTask(text, line.text));
  return closedBy ? { closedBy } : {};
}

type ByList<T> = Readonly<Record<CheckpointList, T>>;

/** What a change of theirs may meet. */
interface Grounds {
  readonly mine: readonly LineChange[];
  /** What ours says, without what does not matter. */
  readonly said: ByList<ReadonlySet<string>>;
  /** What ours came to say since. What theirs says as well is not in its way. */
  readonly onlyOurs: ByList<readonly SummaryLine[]>;
}

function groundsOf(
  mine: readonly LineChange[],
  { ours, theirs }: Pick<ThreeCheckpoints, 'ours' | 'theirs'>,
): Grounds {
  const bareLines = (lines: readonly SummaryLine[]) => new Set(lines.map(({ text }) => bareWords(text)));
  return {
    mine,
    said: byList((list) => bareLines(ours[list])),
    onlyOurs: byList((list) => {
      const known = bareLines(theirs[list]);
      const fresh = mine.filter((change) => change.list === list && change.change !== 'removed');
      return fresh.map(({ line }) => line).filter(({ text }) => !known.has(bareWords(text)));
    }),
  };
}

function byList<T>(of: (list: CheckpointList) => T): ByList<T> {
  return Object.fromEntries(CheckpointList.options.map((list) => [list, of(list)])) as ByList<T>;
}

function meet(change: LineChange, grounds: Grounds): Conflict | 'same' | 'free' {
  const about = change.change === 'added' ? undefined : (change.was ?? change.line);
  const met = about ? meetAtBase(change, about, grounds) : meetTwin(change, grounds);
  if (met !== 'free' || change.change === 'removed') return met;
  return meetDone(change, grounds) ?? meetChoice(change, grounds) ?? 'free';
}

/** Both did something to one line of the base. */
function meetAtBase(change: LineChange, base: SummaryLine, grounds: Grounds): Conflict | 'same' | 'free' {
  const own = grounds.mine.find((other) => (other.was ?? other.line) === base && other.change !== 'added');
  if (!own) return 'free';
  if (own.change === 'removed' && change.change === 'removed') return 'same';
  const [ours, theirs] = [sideOf(own), sideOf(change)];
  if (!ours.line || !theirs.line) return { about: 'removal', list: change.list, base, ours, theirs };
  return sayTheSame(ours.line.text, theirs.line.text)
    ? 'same'
    : { about: 'wording', list: change.list, base, ours, theirs };
}

/** Both came to say it since. */
function meetTwin({ list, line }: LineChange, grounds: Grounds): Conflict | 'same' | 'free' {
  if (grounds.said[list].has(bareWords(line.text))) return 'same';
  const own = grounds.onlyOurs[list].find(({ text }) => sameLine(text, line.text));
  return own ? conflict('wording', { list, line, own: { list, line: own } }) : 'free';
}

/** One side finished what the other, since they parted, calls open or in the way. */
function meetDone({ list, line, was }: LineChange, grounds: Grounds): Conflict | undefined {
  if (list === 'decisions' || list === 'facts') return undefined;
  const others: readonly CheckpointList[] = list === 'completed' ? ['pending', 'blockers'] : ['completed'];
  for (const other of others) {
    const own = grounds.onlyOurs[other].find(({ text }) =>
      list === 'completed' ? finishesTask(line.text, text) : finishesTask(text, line.text),
    );
    if (own) return conflict('done', { list, line, was, own: { list: other, line: own } });
  }
  return undefined;
}

/** Both decided or found out something about one thing, and not the same. */
function meetChoice({ list, line, was }: LineChange, grounds: Grounds): Conflict | undefined {
  if (list !== 'decisions' && list !== 'facts') return undefined;
  const own = grounds.onlyOurs[list].find(({ text }) => disagree(text, line.text));
  return own && conflict('choice', { list, line, was, own: { list, line: own } });
}

function conflict(
  about: Conflict['about'],
  {
    list,
    line,
    was,
    own,
  }: { list: CheckpointList; line: SummaryLine; was?: SummaryLine | undefined; own: Side },
): Conflict {
  return { about, list, ...(was && { base: was }), ours: own, theirs: { list, line } };
}

function sideOf({ list, change, line, closedBy }: LineChange): Side {
  if (change !== 'removed') return { list, line };
  return closedBy ? { list, closedBy } : { list };
}

function filesSince(base: Checkpoint, now: Checkpoint): SummaryFile[] {
  const before = new Map(base.files.map(({ path, operations }) => [path, operations]));
  return now.files.flatMap((file) => {
    const operations = file.operations.filter((operation) => !before.get(file.path)?.includes(operation));
    return operations.length > 0 ? [{ ...file, operations }] : [];
  });
}
