import { ThroughlineError } from '../errors.ts';
import {
  type Acknowledgement,
  checkArgument,
  checkOptions,
  type OptionKinds,
  type Restoration,
  type SessionInfo,
  type Summary,
  settingEntry,
  titleOf,
} from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { type Birth, bear, birthEntries } from './create-session.ts';
import { OPEN_OPTIONS, type OpenOptions, openSession } from './open-session.ts';
import { readClosingSummary } from './read-closing-summary.ts';
import type { Session } from './session.ts';

export interface ResumeOptions extends OpenOptions {
  /** What the parent meant. Defaults to the summary it was closed with. */
  readonly summary?: Summary;
  /**
   * The description of the parent for people. Defaults to what the store counts: its questions, and the size of its messages.
   */
  readonly counts?: Pick<Restoration, 'queries' | 'tokens'>;
  /** What the agent said to the summary. Asked for first, because an entry is written once. */
  readonly acknowledgement?: Acknowledgement;
  readonly birth?: Pick<Birth, 'id' | 'agent' | 'settings'>;
}

const OPTIONS: OptionKinds<Required<ResumeOptions>> = {
  ...OPEN_OPTIONS,
  summary: 'object',
  counts: 'object',
  acknowledgement: 'object',
  birth: 'object',
};

const ELSEWHERE = Object.fromEntries(
  ['id', 'agent', 'settings'].map((name) => [name, `The new session is born with it: birth: { ${name} }.`]),
);

/**
 * Starts a new session from its parent's summary and nothing older. Tags, settings and a title that was given come along,
 * the title with a number; without one its first question names it. The parent stays as it is.
 */
export async function resumeSession(
  store: Store,
  parent: SessionInfo,
  resume: ResumeOptions = {},
): Promise<Session> {
  checkArgument(store, 'store', { call: 'resumeSession' });
  checkArgument(parent, 'session info', { call: 'resumeSession' });
  // Before the session is made: a call that is refused leaves none.
  checkOptions(resume, OPTIONS, { call: 'resumeSession', elsewhere: ELSEWHERE });
  const { summary, counts, acknowledgement, birth = {}, ...options } = resume;
  const now = options.now?.() ?? Date.now();
  const { totals, state } = parent;
  const { agent: parentAgent, project, ...settings } = state.settings;
  const agent = birth.agent ?? parentAgent;
  const body = {
    kind: 'restoration' as const,
    parent: parent.id,
    summary: summary ?? (await readClosingSummary(store, parent)) ?? refuse(parent),
    ...(counts ?? { queries: totals.queries, tokens: totals.tokens }),
    ...(acknowledgement && { acknowledgement }),
  };
  const inherited = birthEntries(
    {
      ...(agent !== undefined && { agent }),
      ...(project !== undefined && { project }),
      tags: state.tags,
      settings: { ...settings, ...birth.settings },
    },
    now,
  );
  const title = await nextTitle(store, parent);
  const titled = title ? [settingEntry('title', title, { by: state.title!.by, at: now })] : [];
  const info = await bear(store, {
    id: birth.id,
    agent,
    now,
    parent: { session: parent.id, relation: 'resume', seq: parent.head },
    entries: [{ at: now, body }, ...inherited, ...titled],
  });
  return openSession(store, info.id, options);
}

function refuse({ id }: SessionInfo): never {
  throw new ThroughlineError(
    'summary-missing',
    `Session "${id}" has no summary of everything said in it, so there is nothing to resume from. Compact it first, or continue it instead.`,
    { details: { session: id } },
  );
}

/** The title of the next link of a chain: the one that its parent was given, with a number that no other session has. */
async function nextTitle(store: Store, { state }: SessionInfo): Promise<string | undefined> {
  const given = state.title?.text;
  // A title that was derived from messages is derived anew from the next messages.
  if (!given || state.title?.by === 'auto') return undefined;
  const [, base = given, before = '1'] = /^(.*) \((\d{1,4})\)$/s.exec(given) ?? [];
  for (let number = Number(before) + 1; ; number++) {
    const title = `${base} (${number})`;
    const alike = await store.find(title, { limit: 20 });
    if (!alike.some((info) => titleOf(info.state) === title)) return title;
  }
}
