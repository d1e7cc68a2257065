import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Feature, SessionLink, Task } from '../../project/index.ts';
import type { CheckpointFile } from '../../summary/index.ts';
import { exportSession } from '../../transcripts/index.ts';
import { readCheckpointOf } from '../checkpoint/fold-work.ts';
import type { Desk } from '../desk.ts';
import { DAGENT, NODES, WORKTREES } from './layout-files.ts';
import { messageIds } from './take-back.ts';
import { type KeptAside, writeAside } from './write-aside.ts';

export interface LayoutExport {
  readonly files: readonly string[];
  /** Files that could not be read, or held entries that are not in the store. */
  readonly keptAside: readonly KeptAside[];
}

/**
 * Writes `.dagent-worktrees` as other programs read it: features, tasks, and four files for each session. Fields of others
 * stay in the files. What cannot be read, or is known nowhere else, is kept aside and never written over.
 */
export async function exportLayout(desk: Desk, folder: string): Promise<LayoutExport> {
  const files: string[] = [];
  const keptAside: KeptAside[] = [];

  async function put(file: string, text: string, keep: (there: string) => string | undefined): Promise<void> {
    const kept = await writeAside(file, text, { keep });
    if (kept) keptAside.push(kept);
    files.push(file);
  }

  async function putSessions(home: string, links: readonly SessionLink[]): Promise<void> {
    for (const { session } of links) {
      const info = await desk.store.session(session);
      if (!info) continue;
      const ids = await messageIds(desk, session);
      const texts = new Map<string, string>();
      for await (const { file, text } of exportSession(desk.store, info, { format: 'dagent' }))
        texts.set(file, (texts.get(file) ?? '') + text);
      const chat = await readFile(path.join(home, 'sessions', `chat_${session}.json`), 'utf8').catch(
        () => '{}',
      );
      // The checkpoint beside a chat that cannot be read was not imported, so it may be newer than the store.
      const known = { ...(await readCheckpointOf(desk, session)), lines: await knownLines(desk, session) };
      const whyKeepFile = (there: string) =>
        parse(chat) ? whyKeepCheckpoint(there, known) : 'the chat that it belongs to could not be read';
      for (const [file, text] of texts) {
        const keep = file.startsWith('chat_')
          ? (there: string) => whyKeepChat(there, ids)
          : file.startsWith('checkpoint_')
            ? whyKeepFile
            : whyKeep;
        await put(path.join(home, 'sessions', file), text, keep);
      }
    }
  }

  for (const feature of (await desk.board()).features.values()) {
    const home = path.join(folder, WORKTREES, feature.id, DAGENT);
    const file = path.join(home, 'feature.json');
    await put(file, await merged(file, () => featureFields(feature)), whyKeep);
    await putSessions(home, feature.sessions);
    for (const task of feature.tasks.values()) {
      const own = path.join(home, NODES, task.id);
      const named = path.join(own, 'task.json');
      await put(named, await merged(named, ({ states }) => taskFields(task, states)), whyKeep);
      await putSessions(own, task.sessions);
    }
  }
  return { files, keptAside };
}

function featureFields({ id, name, state, spec, sessions }: Feature): Record<string, unknown> {
  const open = sessions.filter(({ ended }) => !ended);
  // The program goes on with this one in the feature's chat, so a merge or a harness takes it only if there is no other.
  const active = (open.findLast(({ type }) => type === 'pm-feature') ?? open.at(-1))?.session;
  return {
    id,
    name,
    state,
    ...(spec !== undefined && { spec }),
    ...(active !== undefined && { sessionId: active }),
  };
}

function taskFields(task: Task, theirs: unknown): Record<string, unknown> {
  const { id, title, description, dependsOn, state, sessions } = task;
  return {
    id,
    title,
    description,
    dependsOn,
    currentState: state,
    states: statesOf(sessions, { state, theirs: fieldsOf(theirs) ?? {} }),
  };
}

/** The sessions of each state, the active one last. One that could not be imported is still named. */
function statesOf(
  sessions: readonly SessionLink[],
  { state, theirs }: { state: string; theirs: Record<string, unknown> },
): Record<string, unknown> {
  const known = new Set<unknown>(sessions.map(({ session }) => session));
  const ours = Map.groupBy(sessions, (link) => link.state ?? state);
  const names = new Set([...Object.keys(theirs), ...ours.keys()]);
  return Object.fromEntries(
    [...names].map((name) => {
      const there = fieldsOf(theirs[name]) ?? {};
      const others = Array.isArray(there.sessionIds) ? there.sessionIds.filter((id) => !known.has(id)) : [];
      const own = (ours.get(name) ?? []).map(({ session }) => session);
      return [name, { ...there, sessionIds: [...others, ...own] }];
    }),
  );
}

/** With the fields that other programs wrote. */
async function merged(
  file: string,
  fields: (there: Record<string, unknown>) => Record<string, unknown>,
): Promise<string> {
  const there = parse(await readFile(file, 'utf8').catch(() => '{}')) ?? {};
  return `${JSON.stringify({ ...there, ...fields(there) }, null, 2)}\n`;
}

function whyKeep(there: string): string | undefined {
  return parse(there) ? undefined : 'it could not be read as JSON';
}

function whyKeepChat(there: string, ids: ReadonlySet<string>): string | undefined {
  const chat = parse(there);
  if (!chat) return 'it could not be read as JSON';
  const messages = Array.isArray(chat.messages) ? chat.messages : [];
  const unknown = messages.filter((message) => !ids.has(String((message as { id?: unknown } | null)?.id)));
  return unknown.length > 0
    ? `${unknown.length} of its messages are not in the store; import it first`
    : undefined;
}

/** A newer version says with the lines that it no longer has which points are closed, so the number alone counts too. */
function whyKeepCheckpoint(
  there: string,
  known: CheckpointFile & { readonly lines: ReadonlySet<string> },
): string | undefined {
  const checkpoint = parse(there);
  if (!checkpoint) return 'it could not be read as JSON';
  const unknown = linesOf(checkpoint).filter((line) => !known.lines.has(line));
  if (unknown.length > 0) return `${unknown.length} of its lines are not in the store; import it first`;
  const { version, ralphLoop } = checkpoint;
  if (Number(version) > known.version)
    return `its version ${version} is newer than version ${known.version} in the store; import it first`;
  const iteration = Number(fieldsOf(ralphLoop)?.currentIteration);
  return iteration > (known.ralphLoop?.currentIteration ?? 0)
    ? `its loop is at iteration ${iteration}, which is not in the store; import it first`
    : undefined;
}

/** Every line that a checkpoint of the session had here at some time. */
async function knownLines({ store }: Desk, session: string): Promise<Set<string>> {
  const lines = new Set<string>();
  for (const { body } of await store.read(session, { only: 'notes' })) {
    if (body.kind !== 'compaction') continue;
    const { completed, pending, decisions, blockers } = body.summary;
    for (const { text } of [completed, pending, decisions, blockers].flat()) lines.add(text);
    for (const line of linesOf(fieldsOf(body.meta?.dagent) ?? {})) lines.add(line);
  }
  return lines;
}

function linesOf({ summary }: Record<string, unknown>): string[] {
  return Object.values(fieldsOf(summary) ?? {})
    .flat()
    .filter((line) => typeof line === 'string');
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
