import { z } from 'zod';
import { cutRanges } from './cut-ranges.ts';
import type { Entry } from './entry.ts';
import { EntryId } from './entry-id.ts';
import { firstLine } from './first-line.ts';
import { equalJson, Json } from './json.ts';
import { type Mark, Target } from './marks.ts';
import { Seq } from './seq.ts';
import type { Setting } from './setting.ts';
import { fitsSetting, isOwnSetting, type Settings } from './settings.ts';

/** A compaction that no other compaction covers: where the walk along the frontier starts. */
export const Root = z.looseObject({ id: EntryId, seq: Seq, level: z.int(), from: Seq, to: Seq });
export interface Root {
  id: EntryId;
  seq: Seq;
  level: number;
  from: Seq;
  to: Seq;
}

/**
 * What a session's marks, settings and compactions add up to. A pure fold of its log, kept beside it so that opening
 * costs by the frontier and not by the length. Messages are not in it, except how the first question begins.
 */
export const SessionState = z.looseObject({
  /** The first line of the first user message: what an untitled session is called. Set once, never changed. */
  opening: z.string().optional(),
  title: z.looseObject({ text: z.string(), by: z.enum(['user', 'host', 'auto']) }).optional(),
  tags: z.array(z.string()),
  settings: z.record(z.string(), Json),
  /** Values that do not fit the names they are under: kept and shown, never acted upon. Absent if all fit. */
  setAside: z.record(z.string(), Json).optional(),
  archived: z.boolean(),
  /** When it was put into the trash, in milliseconds. */
  trashedAt: z.number().optional(),
  pinned: z.array(Target),
  excluded: z.array(Target),
  expanded: z.array(Target),
  removed: z.array(Target),
  roots: z.array(Root),
  /** Seq of the newest entry for each to-do and document. */
  todos: z.record(z.string(), Seq),
  documents: z.record(z.string(), Seq),
  loop: Seq.optional(),
  restoration: Seq.optional(),
  /** Seqs of the merges, oldest first. */
  merges: z.array(Seq).optional(),
});
export interface SessionState {
  opening?: string;
  title?: { text: string; by: 'user' | 'host' | 'auto' };
  tags: readonly string[];
  settings: Settings;
  setAside?: Readonly<Record<string, Json>>;
  archived: boolean;
  trashedAt?: number;
  pinned: readonly Target[];
  excluded: readonly Target[];
  expanded: readonly Target[];
  removed: readonly Target[];
  roots: readonly Root[];
  todos: Readonly<Record<string, Seq>>;
  documents: Readonly<Record<string, Seq>>;
  loop?: Seq;
  restoration?: Seq;
  merges?: readonly Seq[];
}

export const EMPTY_STATE: SessionState = {
  tags: [],
  settings: {},
  archived: false,
  pinned: [],
  excluded: [],
  expanded: [],
  removed: [],
  roots: [],
  todos: {},
  documents: {},
};

/** The state after one more entry. Returns the same object when the entry changes nothing. */
export function foldEntry(state: SessionState, { id, seq, at, body }: Entry): SessionState {
  switch (body.kind) {
    case 'message':
      return state.opening !== undefined || body.role !== 'user'
        ? state
        : { ...state, opening: firstLine(body) };
    case 'setting':
      return foldSetting(state, body, at);
    case 'mark':
      return foldMark(state, body);
    case 'compaction': {
      const covered = (root: Root) => root.from >= body.covers.from && root.to <= body.covers.to;
      const root = { id, seq, level: body.level, ...body.covers };
      const roots = [...state.roots.filter((other) => !covered(other)), root].sort((a, b) => a.from - b.from);
      return { ...state, roots };
    }
    case 'todo':
      return { ...state, todos: latest(state.todos, body.id, body.status === 'removed' ? undefined : seq) };
    case 'document':
      return {
        ...state,
        documents: latest(state.documents, body.id, body.content === null ? undefined : seq),
      };
    case 'loop':
      return { ...state, loop: seq };
    case 'restoration':
      return { ...state, restoration: seq };
    case 'merge':
      return { ...state, merges: [...(state.merges ?? []), seq] };
    default:
      return state;
  }
}

/** Before the first summary there is no checkpoint, and nothing is left out of a context. */
export function isSummarised({ roots, restoration }: SessionState): boolean {
  return roots.length > 0 || restoration !== undefined;
}

/** The name of the session: the title it was given, or how its first question begins. */
export function titleOf({ title, opening }: SessionState): string {
  return title?.text || opening || '';
}

/** What a fork starts from: everything up to the fork point, but active, whatever its parent is kept for. */
export function forkState({ trashedAt: _, ...state }: SessionState): SessionState {
  return { ...keepSetting(state, 'reserved', null), archived: false };
}

function foldSetting(state: SessionState, { name, value, by }: Setting, at: number): SessionState {
  const text = typeof value === 'string' ? value : '';
  switch (name) {
    case 'title':
      if (value !== null && !fitsSetting(name, value)) return state;
      if (state.title?.by === 'user' && by !== 'user') return state;
      return titled(state, text, by);
    case 'tag':
      return state.tags.includes(text) || !text ? state : { ...state, tags: [...state.tags, text] };
    case 'untag':
      return state.tags.includes(text) ? { ...state, tags: state.tags.filter((tag) => tag !== text) } : state;
    case 'archived':
      return { ...state, archived: value === true };
    case 'trashed': {
      const { trashedAt: _, ...rest } = state;
      return value === true ? { ...rest, trashedAt: at } : rest;
    }
    default:
      return keepSetting(state, name, value as Json);
  }
}

const MARKS = {
  pinned: ['pinned', true],
  unpinned: ['pinned', false],
  excluded: ['excluded', true],
  included: ['excluded', false],
  expanded: ['expanded', true],
  collapsed: ['expanded', false],
  removed: ['removed', true],
} as const;

function foldMark(state: SessionState, { target, mark }: Mark): SessionState {
  const [list, on] = MARKS[mark];
  const others = state[list].filter((other) => !equalJson(other, target));
  return { ...state, [list]: on ? [...others, target] : others.flatMap((other) => without(other, target)) };
}

/** The rest of a range when a mark is taken off a part of it. */
function without(marked: Target, target: Target): Target[] {
  return 'entry' in marked || 'entry' in target ? [marked] : cutRanges([marked], [target]);
}

function titled(state: SessionState, text: string, by: 'user' | 'host' | 'auto'): SessionState {
  if (text) return { ...state, title: { text, by } };
  const { title: _, ...untitled } = state;
  return untitled;
}

function latest(seqs: Readonly<Record<string, Seq>>, id: string, seq: Seq | undefined): Record<string, Seq> {
  const { [id]: _, ...others } = seqs;
  return seq === undefined ? others : { ...others, [id]: seq };
}

/** The state with one setting changed. A value that does not fit its name is set aside; `null` clears either. */
function keepSetting(state: SessionState, name: string, value: Json): SessionState {
  const settings = withoutName(state.settings, name);
  const setAside = withoutName(state.setAside ?? {}, name);
  if (value === null) return withSettings(state, settings, setAside);
  return fitsSetting(name, value)
    ? withSettings(state, { ...settings, [name]: value }, setAside)
    : withSettings(state, settings, { ...setAside, [name]: value });
}

/** Every setting of a session by its name, for showing: those that are set aside too. */
export function shownSettings({ settings, setAside }: SessionState): Readonly<Record<string, Json>> {
  return { ...(settings as Record<string, Json>), ...setAside };
}

/** The settings that are a host's own, by name: nothing here goes by them. */
export function hostSettings({ settings }: SessionState): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(settings as Record<string, Json>).filter(([name]) => !isOwnSetting(name)),
  );
}

/** The state as stores keep it: one list of settings, as every version reads it. */
export function packState(state: SessionState): unknown {
  const { setAside: _, ...packed } = state;
  return { ...packed, settings: shownSettings(state) };
}

/** The state that a store kept. */
export function unpackState(packed: unknown): SessionState {
  const state = packed as SessionState;
  const misfits = Object.entries(state.settings).filter(([name, value]) => !fitsSetting(name, value));
  return misfits.reduce((rest, [name, value]) => keepSetting(rest, name, value as Json), state);
}

function withSettings(
  { setAside: _, ...state }: SessionState,
  settings: Readonly<Record<string, unknown>>,
  setAside: Readonly<Record<string, Json>>,
): SessionState {
  return {
    ...state,
    settings: settings as Settings,
    ...(Object.keys(setAside).length > 0 && { setAside }),
  };
}

function withoutName<Value>(record: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  const { [name]: _, ...others } = record;
  return others;
}
