import type { EntryBody, NewEntry, Parent, Place, Target } from '../../src/record/index.ts';

export type NaiveEntry = Required<NewEntry>;

/** A session as one would write it down on paper: two lists, everything else counted anew whenever it is asked for. */
export interface NaiveSession {
  readonly id: string;
  readonly order: number;
  readonly createdAt: number;
  readonly parent: Parent | undefined;
  /** Copied from the parent, which is what a fork must be indistinguishable from. */
  readonly shared: readonly NaiveEntry[];
  readonly own: NaiveEntry[];
}

export function visible({ shared, own }: NaiveSession): NaiveEntry[] {
  return [...shared, ...own];
}

export function updatedAt({ createdAt, own }: NaiveSession): number {
  const said = own.filter(({ body }) => body.kind !== 'mark' && body.kind !== 'setting');
  return Math.max(createdAt, ...said.map(({ at }) => at));
}

export function newestFirst(a: NaiveSession, b: NaiveSession): number {
  return updatedAt(b) - updatedAt(a) || b.order - a.order;
}

/** A fork starts outside the archive and the trash, so only what it did itself counts. */
export function placeOf({ own }: NaiveSession): Place {
  if (lastSetting(own, 'trashed') === true) return 'trashed';
  return lastSetting(own, 'archived') === true ? 'archived' : 'active';
}

export function settingOf(session: NaiveSession, name: string): unknown {
  return lastSetting(visible(session), name) ?? undefined;
}

export function tagsOf(session: NaiveSession): string[] {
  const tags = new Set<unknown>();
  for (const { body } of visible(session)) {
    if (body.kind !== 'setting') continue;
    if (body.name === 'tag') tags.add(body.value);
    if (body.name === 'untag') tags.delete(body.value);
  }
  return [...tags] as string[];
}

/** The last title a user gave or cleared; if none stands, the last one anybody gave since. */
export function givenTitle(session: NaiveSession): string | undefined {
  const titles = settings(visible(session)).filter(({ name }) => name === 'title');
  const byUser = titles.findLastIndex(({ by }) => by === 'user');
  const standing = titles[byUser]?.value ? titles[byUser] : titles.slice(byUser + 1).at(-1);
  return (standing?.value as string | null | undefined) ?? undefined;
}

export function spentBy({ own }: NaiveSession): { inputTokens: number; outputTokens: number } {
  const used = own.flatMap(({ body }) => ('usage' in body && body.usage ? [body.usage] : []));
  const sum = (key: 'inputTokens' | 'outputTokens') => used.reduce((total, usage) => total + usage[key], 0);
  return { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') };
}

export function messagesIn(entries: readonly NaiveEntry[]): NaiveEntry[] {
  return entries.filter(({ body }) => body.kind === 'message');
}

export function pinnedIn(entries: readonly NaiveEntry[]): string[] {
  let pinned: Target[] = [];
  for (const { body } of entries) {
    if (body.kind !== 'mark' || !['pinned', 'unpinned'].includes(body.mark)) continue;
    const { mark, target } = body;
    pinned = pinned.filter((other) => JSON.stringify(other) !== JSON.stringify(target));
    pinned = mark === 'pinned' ? [...pinned, target] : pinned.flatMap((other) => less(other, target));
  }
  return pinned.map((target) => JSON.stringify(target));
}

/** Number by number: what is left of a range, in runs. */
function less(range: Target, taken: Target): Target[] {
  if ('entry' in range || 'entry' in taken) return [range];
  const left: { from: number; to: number }[] = [];
  for (let seq = range.from; seq <= range.to; seq++) {
    if (taken.from <= seq && seq <= taken.to) continue;
    const last = left.at(-1);
    if (last?.to === seq - 1) last.to = seq;
    else left.push({ from: seq, to: seq });
  }
  return left;
}

function lastSetting(entries: readonly NaiveEntry[], name: string): unknown {
  return settings(entries).findLast((body) => body.name === name)?.value;
}

function settings(entries: readonly NaiveEntry[]): Extract<EntryBody, { kind: 'setting' }>[] {
  return entries.flatMap(({ body }) => (body.kind === 'setting' ? [body] : []));
}

/** Seqs of the compactions that no later one covers, by where their range starts. */
export function rootsIn(entries: readonly NaiveEntry[]): number[] {
  const all = entries.flatMap(({ body }, index) =>
    body.kind === 'compaction' ? [{ seq: index + 1, ...body.covers }] : [],
  );
  return all
    .filter((one, index) => !all.slice(index + 1).some(({ from, to }) => from <= one.from && to >= one.to))
    .sort((a, b) => a.from - b.from)
    .map(({ seq }) => seq);
}
