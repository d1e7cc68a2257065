import { createHash } from 'node:crypto';
import {
  type EntryId,
  type SessionId,
  type SessionInfo,
  type SummaryFile,
  titleOf,
} from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { bareWords } from '../summary/index.ts';
import { type BranchComparison, compareBranches, locateSources, type Source } from './compare-branches.ts';
import type { Conflict, LineChange, Side } from './compare-checkpoints.ts';

/** A comparison as `--json` and RPC show it. A contract: fields are added, never changed. */
export interface DescribedComparison {
  readonly ours: DescribedBranch;
  readonly theirs: DescribedBranch;
  readonly since: BranchComparison['since'];
  /** The same comparison has the same plan, so that the plan a person saw can be distinguished from a later one. */
  readonly plan: string;
  readonly changes: readonly DescribedChange[];
  readonly conflicts: readonly DescribedConflict[];
  readonly files: readonly DescribedFile[];
}

interface DescribedBranch {
  readonly id: SessionId;
  readonly title: string;
  readonly head: number;
}

export interface DescribedChange {
  readonly side: 'ours' | 'theirs' | 'both';
  readonly list: LineChange['list'];
  readonly change: LineChange['change'];
  readonly text: string;
  readonly was?: string;
  /** The finished task, if that is why it is gone. */
  readonly closedBy?: string;
  /** Of a line that is gone: of what finished it, or else its own. */
  readonly sources: readonly Source[];
}

export interface DescribedConflict {
  /** From 1, in this plan. */
  readonly number: number;
  readonly list: Conflict['list'];
  readonly about: Conflict['about'];
  readonly base: string | null;
  readonly ours: DescribedSide;
  readonly theirs: DescribedSide;
}

export interface DescribedSide {
  readonly list: Side['list'];
  /** `null` if this side took the line away. */
  readonly text: string | null;
  /** The finished task, if that is why. */
  readonly closedBy?: string;
  readonly sources: readonly Source[];
}

interface DescribedFile {
  readonly side: 'ours' | 'theirs' | 'both';
  readonly path: string;
  readonly operations: readonly string[];
  readonly sources: readonly Source[];
}

/** What two branches say differently since they last had everything in common, with the entries behind every line. */
export async function diffBranches(
  store: Store,
  ours: SessionInfo,
  theirs: SessionInfo,
): Promise<DescribedComparison> {
  const comparison = await compareBranches(store, ours, theirs);
  return describeComparison(comparison, await locateLines(store, comparison));
}

export function locateLines(store: Store, comparison: BranchComparison): Promise<Located> {
  const { ours, theirs } = comparison.sessions;
  return locateSources(store, [ours, theirs], idsIn(comparison));
}

type Located = ReadonlyMap<EntryId, Source>;

export function describeComparison(comparison: BranchComparison, located: Located): DescribedComparison {
  const { sessions, since, conflicts } = comparison;
  const sideOf = ({ list, line, closedBy }: Side): DescribedSide => ({
    list,
    text: line?.text ?? null,
    ...(closedBy && { closedBy: closedBy.text }),
    sources: sourcesOf((line ?? closedBy)?.from, located),
  });
  return {
    ours: describeBranch(sessions.ours),
    theirs: describeBranch(sessions.theirs),
    since,
    plan: planOf(comparison),
    changes: bothSides(comparison).map((change) => describeChange(change, located)),
    conflicts: conflicts.map(({ list, about, base, ours, theirs }, index) => ({
      number: index + 1,
      list,
      about,
      base: base?.text ?? null,
      ours: sideOf(ours),
      theirs: sideOf(theirs),
    })),
    files: filesOf(comparison).map(({ side, path, operations, from }) => ({
      side,
      path,
      operations,
      sources: sourcesOf(from, located),
    })),
  };
}

type SidedChange = LineChange & { readonly side: DescribedChange['side'] };

export function describeChange(
  { side, list, change, line, was, closedBy }: SidedChange,
  located: Located,
): DescribedChange {
  return {
    side,
    list,
    change,
    text: line.text,
    ...(was && { was: was.text }),
    ...(closedBy && { closedBy: closedBy.text }),
    sources: sourcesOf((closedBy ?? line).from, located),
  };
}

function sourcesOf(ids: readonly EntryId[] = [], located: Located): Source[] {
  return ids.map((id) => located.get(id) ?? { entry: id });
}

function describeBranch({ id, head, state }: SessionInfo): DescribedBranch {
  return { id, title: titleOf(state), head };
}

/** Depends on what would be done and asked, not on how far the logs have gone. */
function planOf({ sessions, since, clean, conflicts, files }: BranchComparison): string {
  const side = ({ list, line }: Side) => [list, line?.text ?? null];
  const plan = [
    [sessions.ours.id, sessions.theirs.id, since.session, since.seq],
    clean.map(({ list, change, line, was }) => [list, change, line.text, was?.text ?? null]),
    conflicts.map(({ about, ours, theirs }) => [about, side(ours), side(theirs)]),
    files.theirs.map(({ path, operations }) => [path, operations]),
  ];
  return createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 8);
}

/** Each change once: what both did the same way is of both. */
function bothSides({ ours, theirs, same }: BranchComparison): SidedChange[] {
  const keyOf = ({ list, change, line }: LineChange) => `${list} ${change} ${bareWords(line.text)}`;
  const shared = new Set(same.map(keyOf));
  const isShared = (change: LineChange) => shared.has(keyOf(change));
  return [
    ...ours.filter((change) => !isShared(change)).map((change): SidedChange => ({ ...change, side: 'ours' })),
    ...theirs.map((change): SidedChange => ({ ...change, side: same.includes(change) ? 'both' : 'theirs' })),
  ];
}

function filesOf({ files }: BranchComparison): (SummaryFile & { side: DescribedFile['side'] })[] {
  const isShared = (path: string, other: readonly SummaryFile[]) => other.some((file) => file.path === path);
  return [
    ...files.ours
      .filter(({ path }) => !isShared(path, files.theirs))
      .map((file) => ({ ...file, side: 'ours' as const })),
    ...files.theirs.map((file) => {
      const own = files.ours.find(({ path }) => path === file.path);
      if (!own) return { ...file, side: 'theirs' as const };
      const operations = [...new Set([...own.operations, ...file.operations])];
      const from = [...new Set([...(own.from ?? []), ...(file.from ?? [])])];
      return { path: file.path, operations, from, side: 'both' as const };
    }),
  ];
}

function idsIn({ ours, theirs, conflicts, files }: BranchComparison): Set<EntryId> {
  const sides = conflicts.flatMap((conflict) => [conflict.ours, conflict.theirs]);
  const lines = [
    ...[...ours, ...theirs].map(({ line, closedBy }) => closedBy ?? line),
    ...sides.flatMap(({ line, closedBy }) => line ?? closedBy ?? []),
    ...files.ours,
    ...files.theirs,
  ];
  return new Set(lines.flatMap(({ from = [] }) => from));
}
