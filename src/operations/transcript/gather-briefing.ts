import { isThroughlineError } from '../../errors.ts';
import { type Entry, type SessionInfo, type SummaryLine, titleOf } from '../../record/index.ts';
import { readFrontier } from '../../session/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import { type Checkpoint, foldCheckpoint } from '../../summary/index.ts';
import { sayTitle } from '../../text/index.ts';
import type { Briefing, BriefingLine } from '../../transcripts/index.ts';

/** The state of a session for the agent that goes on with it: its summaries, and a digest of the messages since. */
export async function gatherBriefing(store: Store, session: SessionInfo): Promise<Briefing> {
  const checkpoint = await stateOfWork(store, session);
  const seqs = await seqsOf(store, session, checkpoint);
  const lines = (of: readonly SummaryLine[]): BriefingLine[] =>
    of.map(({ text, from }) => {
      const entry = from.map((id) => seqs.get(id)).find((seq) => seq !== undefined);
      return { text, ...(entry !== undefined && { entry }) };
    });
  const latest = await newestQuestion(store, session);
  const { opening } = session.state;
  const name = session.id;
  return {
    session: name,
    goal: {
      title: sayTitle(titleOf(session.state), name),
      ...(opening !== undefined && { first: opening }),
      ...(latest && { latest }),
    },
    open: [...lines(checkpoint.pending), ...(await openTodos(store, session))],
    blockers: lines(checkpoint.blockers),
    decisions: lines(checkpoint.decisions),
    done: lines(checkpoint.completed),
    facts: lines(checkpoint.facts),
    files: checkpoint.files.map(({ path, operations }) => ({ path, operations })),
    pointers: [
      { command: `throughline show ${name}`, shows: 'everything that was said, also what is compacted here' },
      { command: `throughline show ${name} --at 12`, shows: 'one entry, and those around it' },
      { command: `throughline search "words" --session ${name}`, shows: 'where something was said' },
    ],
  };
}

const MOST_TOKENS = 2_000;

async function stateOfWork(store: Store, session: SessionInfo): Promise<Checkpoint> {
  const { readCheckpoint, summariseRange } = await import('../../compaction/index.ts');
  const checkpoint = await readCheckpoint(store, session);
  const entries: Entry[] = [];
  for (const entry of await readFrontier(store, session)) {
    if (entry.body.kind !== 'message') continue;
    entries.push({ ...entry, body: await wholeBody(entry.body, (hash) => store.blob(hash)) });
  }
  if (entries.length === 0) return checkpoint;
  const tokensBefore = entries.reduce((sum, { tokens }) => sum + tokens, 0);
  try {
    const { summary } = await summariseRange({ entries, maxTokens: MOST_TOKENS, tokensBefore });
    return foldCheckpoint([summary], checkpoint);
  } catch (error) {
    // Of a few short messages no summary is shorter than they are. They are in the file, and the checkpoint is without them.
    if (!isThroughlineError(error, 'summary-rejected')) throw error;
    return checkpoint;
  }
}

async function seqsOf(
  store: Store,
  { id: session }: SessionInfo,
  { pending, blockers, decisions, completed, facts }: Checkpoint,
): Promise<Map<string, number>> {
  const ids = [
    ...new Set([pending, blockers, decisions, completed, facts].flat().flatMap(({ from }) => from)),
  ];
  const found = await store.entries(ids.map((entry) => ({ session, entry })));
  return new Map(found.flatMap((entry) => (entry ? [[entry.id, entry.seq] as const] : [])));
}

async function newestQuestion(store: Store, { id }: SessionInfo): Promise<BriefingLine | undefined> {
  const newest = await store.read(id, { only: 'messages', order: 'newest-first', limit: 200 });
  const asked = newest.find(({ body }) => body.kind === 'message' && body.role === 'user');
  if (asked?.body.kind !== 'message') return undefined;
  const text = asked.body.parts
    .flatMap((part) => (typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
  return text === '' ? undefined : { text, entry: asked.seq };
}

async function openTodos(store: Store, { id, state }: SessionInfo): Promise<BriefingLine[]> {
  const open: BriefingLine[] = [];
  for (const seq of Object.values(state.todos)) {
    const [entry] = await store.read(id, { after: seq - 1, upTo: seq });
    const { body } = entry ?? {};
    if (body?.kind === 'todo' && (body.status === 'pending' || body.status === 'in_progress'))
      open.push({ text: body.text, entry: seq });
  }
  return open;
}
