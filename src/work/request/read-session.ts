import { z } from 'zod';
import {
  type Compaction,
  type Document,
  type Entry,
  isHidden,
  type Loop,
  type Message,
  type SeqRange,
  type SessionId,
  type SessionInfo,
  standingInstructions,
  summaryIn,
  WORK_DOCUMENTS,
} from '../../record/index.ts';
import { getSession, readConversation } from '../../session/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import { withoutNumber } from '../../text/index.ts';
import { countMessage } from '../../tokens/index.ts';
import { type AgentDescription, AgentFile } from '../agents/agent-description.ts';
import { foldOn, foldWork } from '../checkpoint/fold-work.ts';
import { workMessageText } from './message-text.ts';
import type { SessionReader, SessionView } from './session-view.ts';

/**
 * Reads sessions and keeps the views of the newest: a log only grows, so mostly its new entries are enough. A session is
 * read anew when a mark or a restored checkpoint changes how its older entries are seen.
 */
export function createSessionReader(store: Store): SessionReader {
  const kept = new Map<SessionId, SessionView>();
  return {
    async read(id) {
      const info = await getSession(store, id);
      const known = kept.get(id);
      if (known?.info.head === info.head) return known;
      const view = (known && (await readOn(store, known, info))) ?? (await readWhole(store, info));
      kept.delete(id);
      kept.set(id, view);
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
      return view;
    },
  };
}

const MOST_KEPT = 64;
const MOST_READ_ON = 200;

/** `undefined` if one of the new entries changes how older ones are seen. */
async function readOn(store: Store, known: SessionView, info: SessionInfo): Promise<SessionView | undefined> {
  if (info.head < known.info.head || info.head - known.info.head > MOST_READ_ON) return undefined;
  const entries = await store.read(info.id, { after: known.info.head, upTo: info.head });
  let view: SessionView = { ...known, info };
  for (const entry of entries) {
    const { body } = entry;
    if (body.kind === 'message' && !isSetAside(body) && body.role !== 'system') {
      const line = toLine(entry);
      if (line) view = { ...view, messages: [...view.messages, line] };
    } else if (body.kind === 'loop') view = { ...view, loop: body };
    else if (
      body.kind === 'document' &&
      (body.id === WORK_DOCUMENTS.context || body.id === WORK_DOCUMENTS.description)
    )
      view = { ...view, ...documentFields(await whole(store, entry)) };
    else if (body.kind === 'compaction' && !hasMarks(info)) {
      const fold = foldOn(view.fold, entry, info);
      const records = recordsWith(view, entry, body);
      if (!fold || !records) return undefined;
      const { from, to } = body.covers;
      view = { ...view, fold, records, messages: view.messages.filter(({ seq }) => seq < from || seq > to) };
    } else if (body.kind !== 'setting' && body.kind !== 'run') return undefined;
  }
  return view;
}

/** True if a part stands beside the log. `readConversation` decides how much of a shortened message is put back in place. */
function isSetAside({ parts }: Message): boolean {
  return JSON.stringify(parts).includes('"$blob"');
}

/** With a mark in the session a compaction does not hide everything that it covers. */
function hasMarks({ state: { pinned, excluded, expanded, removed } }: SessionInfo): boolean {
  return [pinned, excluded, expanded, removed].some((targets) => targets.length > 0);
}

/** The new record takes the place of those it was merged from; `undefined` if it covers one in part, or stands before one. */
function recordsWith(
  { records }: SessionView,
  entry: Entry,
  { covers: { from, to } }: Compaction,
): readonly Entry[] | undefined {
  const others = records.filter((record) => placeOf(record).from < from || placeOf(record).to > to);
  return others.every((record) => placeOf(record).to < from) ? [...others, entry] : undefined;
}

function placeOf({ body, seq }: Entry): SeqRange {
  return body.kind === 'compaction' ? body.covers : { from: seq, to: seq };
}

async function readWhole(store: Store, info: SessionInfo): Promise<SessionView> {
  const { frontier, pinned, marks } = await readConversation(store, info);
  const at = async (seq: number | undefined) =>
    seq === undefined ? undefined : (await store.read(info.id, { after: seq - 1, upTo: seq }))[0];
  const { loop, documents } = info.state;
  const [loopEntry, ...heads] = await Promise.all([
    at(loop),
    at(documents[WORK_DOCUMENTS.description]),
    at(documents[WORK_DOCUMENTS.context]),
  ]);
  const fields = await Promise.all(
    heads.map(async (entry) => (entry ? documentFields(await whole(store, entry)) : {})),
  );
  const standing = new Set(standingInstructions(frontier));
  const isSaid = (entry: Entry) => entry.body.kind === 'message' && !standing.has(entry);
  return {
    info,
    system: [...standing].flatMap((entry) =>
      isHidden(marks, entry) ? [] : [workMessageText(entry.body as Message)],
    ),
    messages: frontier.flatMap((entry) => (isSaid(entry) ? (toLine(entry) ?? []) : [])),
    pinned: pinned.flatMap((entry) => toLine(entry) ?? []),
    marks,
    records: frontier.filter(({ body }) => summaryIn(body) !== undefined),
    fold: await foldWork(store, info),
    ...(loopEntry?.body.kind === 'loop' && { loop: loopEntry.body as Loop }),
    ...Object.assign({}, ...fields),
  };
}

function documentFields({ body }: Entry): Partial<SessionView> {
  const { id, content, meta } = body as Document;
  if (content === null || typeof content !== 'object') return {};
  // A document of another program may hold anything; then the session is described and its context gathered anew.
  if (id === WORK_DOCUMENTS.description) return isDescription(content) ? { description: content } : {};
  const kept = KeptContext.safeParse(content).data;
  const hash = meta?.hash;
  return kept && typeof hash === 'string' ? { context: kept, contextHash: hash } : {};
}

const Tokens = z.int().min(0);
const KeptContext = z.object({ updatedAt: z.string(), tokens: Tokens });
const KeptDescription = AgentFile.extend({ createdAt: z.string().optional(), tokens: Tokens }).loose();

function isDescription(content: object): content is AgentDescription {
  return KeptDescription.safeParse(content).success;
}

async function whole(store: Store, entry: Entry): Promise<Entry> {
  return { ...entry, body: await wholeBody(entry.body, (hash) => store.blob(hash)) };
}

/**
 * A message as the line of text that a request shows, in the form that the fitter takes: an entry with the same id and
 * number. `undefined` for a message without text.
 */
export function toLine(entry: Entry): Entry | undefined {
  const { role } = entry.body as Message;
  const text = workMessageText(entry.body as Message).trimEnd();
  if (text === '') return undefined;
  const body: Message = {
    kind: 'message',
    // Tool calls and results are part of the line, so nothing is left to be paired.
    role: role === 'user' ? 'user' : 'assistant',
    parts: [{ type: 'text', text: `**${SPEAKERS[role]}**: ${text}` }],
  };
  return { ...entry, body, tokens: countMessage(body) };
}

const SPEAKERS = { user: 'User', assistant: 'Assistant', tool: 'Tool', system: 'System' } as const;

/** Leaves out a message that was just added and is now asked, with or without the number of its iteration before it. */
export function withoutQuestion(lines: readonly Entry[], question: string): readonly Entry[] {
  const newest = lines.at(-1);
  const asked = question.toWellFormed().trimEnd();
  return newest && isAsked(lineOf(newest), asked) ? lines.slice(0, -1) : lines;
}

function isAsked(line: string, question: string): boolean {
  const lead = `**${SPEAKERS.user}**: `;
  const said = line.slice(lead.length);
  return (
    line.startsWith(lead) && (said === question || (question !== '' && withoutNumber(said) === question))
  );
}

function lineOf({ body }: Entry): string {
  return String((body as Message).parts[0]?.text);
}
