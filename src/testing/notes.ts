import {
  type Compaction,
  type EntryId,
  emptySummary,
  type Mark,
  type Merge,
  type Restoration,
  type SessionId,
  type Setting,
  type Summary,
  type Target,
  type UnknownBody,
} from '../record/index.ts';

/** Says something about one entry (by its id) or a range of seqs. */
export function mark(what: Mark['mark'], target: EntryId | Target): Mark {
  return { kind: 'mark', mark: what, target: typeof target === 'string' ? { entry: target } : target };
}

/** A changed setting: `setting('title', 'Refactor auth')`, `setting('archived', true)`. */
export function setting(name: string, value: Setting['value'], by: Setting['by'] = 'user'): Setting {
  return { kind: 'setting', name, value, by };
}

/** A level 1 compaction by the digest, by default. */
export function compaction({
  covers,
  summary = 'What came before.',
  ...fields
}: Pick<Compaction, 'covers'> &
  Partial<Omit<Compaction, 'kind' | 'covers' | 'summary'>> & { summary?: string | Summary }): Compaction {
  return {
    kind: 'compaction',
    level: 1,
    children: [],
    tokensBefore: 1000,
    tokensAfter: 100,
    by: { kind: 'digest' },
    retention: 1,
    ...fields,
    covers,
    summary: { ...(typeof summary === 'string' ? summaryOf(summary) : summary) },
  } as Compaction;
}

/** How a resumed session starts. */
export function restoration(parent: SessionId, summary: string | Summary = 'What came before.'): Restoration {
  const restored = typeof summary === 'string' ? summaryOf(summary) : summary;
  return { kind: 'restoration', parent, summary: { ...restored } as Restoration['summary'] };
}

/** What a branch came to, brought home. */
export function merge({
  branch,
  summary = '',
  ...fields
}: Pick<Merge, 'branch'> &
  Partial<Omit<Merge, 'kind' | 'branch' | 'summary'>> & { summary?: string | Summary }): Merge {
  return {
    kind: 'merge',
    head: 1,
    since: { session: branch, seq: 0 },
    dropped: [],
    left: [],
    conflicts: [],
    ...fields,
    branch,
    summary: { ...(typeof summary === 'string' ? summaryOf(summary) : summary) },
  };
}

/** A summary that says only this. */
export function summaryOf(overview: string): Summary {
  return emptySummary(overview);
}

/** An entry of a kind this version does not know, as a newer version or another program would leave it. */
export function foreign(kind: string, fields: Readonly<Record<string, unknown>> = {}): UnknownBody {
  return { kind: 'unknown', was: kind, value: { ...fields, kind } };
}
