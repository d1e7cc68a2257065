import { ThroughlineError } from '../errors.ts';
import {
  type Acknowledgement,
  CheckpointList,
  type Seq,
  type SessionInfo,
  type Summary,
  titleOf,
} from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { type Birth, bear, birthEntries } from './create-session.ts';
import { type OpenOptions, openSession } from './open-session.ts';
import { isMarked, readCompaction } from './read-frontier.ts';
import type { Session } from './session.ts';

export interface ResumeOptions extends OpenOptions {
  /** What the parent meant. Defaults to the summary it was closed with. */
  readonly summary?: Summary;
  /** What the agent said to the summary. Asked for first, because an entry is written once. */
  readonly acknowledgement?: Acknowledgement;
  readonly birth?: Pick<Birth, 'id' | 'agent' | 'settings'>;
}

/**
 * Starts a new session from its parent's summary and nothing older. Title, tags and settings come along; the parent
 * stays as it is.
 */
export async function resumeSession(
  store: Store,
  parent: SessionInfo,
  { summary, acknowledgement, birth = {}, ...options }: ResumeOptions = {},
): Promise<Session> {
  const now = options.now?.() ?? Date.now();
  const { totals, state } = parent;
  const { agent: parentAgent, project, ...settings } = state.settings;
  const agent = birth.agent ?? (typeof parentAgent === 'string' ? parentAgent : undefined);
  const body = {
    kind: 'restoration' as const,
    parent: parent.id,
    summary: summary ?? (await closingSummary(store, parent)),
    queries: totals.queries,
    tokens: totals.tokens,
    ...(acknowledgement && { acknowledgement }),
  };
  const inherited = birthEntries(
    {
      ...(agent !== undefined && { agent }),
      ...(typeof project === 'string' && { project }),
      tags: state.tags,
      settings: { ...settings, ...birth.settings },
    },
    now,
  );
  const title = titleOf(state);
  const titled = title
    ? [
        {
          at: now,
          body: {
            kind: 'setting' as const,
            name: 'title',
            value: title,
            by: state.title?.by ?? ('auto' as const),
          },
        },
      ]
    : [];
  const info = await bear(store, {
    id: birth.id,
    agent,
    now,
    parent: { session: parent.id, relation: 'resume', seq: parent.head },
    entries: [{ at: now, body }, ...inherited, ...titled],
  });
  return openSession(store, info.id, options);
}

/** The summary of everything that was said in the session, if there is one. */
async function closingSummary(store: Store, { id, state }: SessionInfo): Promise<Summary> {
  const [root, another] = state.roots;
  if (root && !another && !isMarked(state.removed, root)) {
    const before = await store.read(id, { upTo: root.from - 1, only: 'messages', limit: 1 });
    const after = await store.read(id, { after: root.to, only: 'messages', limit: 1 });
    const { summary } = (await readCompaction(store, id, root)).body;
    if (before.length + after.length === 0)
      return withMerges(store, { id, state }, { summary, after: root.to });
  }
  throw new ThroughlineError(
    'summary-missing',
    `Session "${id}" has no summary of everything said in it, so there is nothing to resume from. Compact it first, or continue it instead.`,
    { details: { session: id } },
  );
}

/** Together with what branches brought home since the summary was made: that was not said, so no summary covers it yet. */
async function withMerges(
  store: Store,
  { id, state }: Pick<SessionInfo, 'id' | 'state'>,
  { summary, after }: { summary: Summary; after: Seq },
): Promise<Summary> {
  let whole = summary;
  for (const seq of (state.merges ?? []).filter((each) => each > after)) {
    const [entry] = await store.read(id, { after: seq - 1, upTo: seq });
    if (entry?.body.kind !== 'merge')
      throw new Error(`bug: entry ${seq} of session "${id}" should be a merge`);
    const { summary: brought, dropped } = entry.body;
    if (isMarked(state.removed, { ...entry, level: 0, from: seq, to: seq })) continue;
    const lists = CheckpointList.options.map((list) => {
      const gone = dropped.flatMap((line) => (line.list === list ? [line.text] : []));
      return [list, [...whole[list].filter(({ text }) => !gone.includes(text)), ...brought[list]]];
    });
    whole = { ...whole, ...Object.fromEntries(lists), files: [...whole.files, ...brought.files] };
  }
  return whole;
}
