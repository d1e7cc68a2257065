import type { Compaction, Document, EntryId, Loop, SessionInfo } from '../../../record/index.ts';
import { foldCompactions, writeCheckpointFile } from '../../../summary/index.ts';
import { countText } from '../../../tokens/index.ts';
import { standing } from '../../export/interleave.ts';
import { jsonFile, jsonFileWithList } from '../../export/write-json.ts';
import { foreignLineOf } from '../../foreign-lines.ts';
import { originOf } from '../../import-origin.ts';
import { fieldsOf, isFields, textOf } from '../../source/fields.ts';
import { type Fields, parseObject } from '../../source/recover-line.ts';
import type { OutgoingSession, TranscriptOptions, Writer } from '../../transcript.ts';
import { writeKnown } from './known.ts';
import { DAGENT_FORMAT } from './read.ts';

/** The entries of a session besides its messages, read in one go. */
interface Gathered {
  readonly compactions: readonly { id: EntryId; at: number; body: Compaction }[];
  readonly documents: ReadonlyMap<string, Document['content']>;
  readonly loop?: Loop;
  /** Messages up to here are in the checkpoint. */
  readonly covered: number;
  readonly extra: Fields;
}

/** The four files that an orchestrator keeps for a session: the recent messages, the checkpoint, the context, the role. */
export const writeDagent: Writer = async function* ({ asked }, options = {}) {
  const { info } = asked;
  const id = originOf(info, DAGENT_FORMAT)?.session ?? info.id;
  const gathered = await gather(asked, options);
  const created = new Date(info.createdAt).toISOString();
  const totals = { count: 0, tokens: 0, updated: info.createdAt };
  yield* jsonFileWithList(`chat_${id}.json`, {
    before: { sessionId: id },
    list: 'messages',
    items: messagesOf(asked, gathered.covered, totals),
    after: () => ({
      metadata: {
        createdAt: created,
        updatedAt: new Date(totals.updated).toISOString(),
        messageCount: totals.count,
        tokenCount: totals.tokens,
      },
      ...gathered.extra,
    }),
  });
  yield jsonFile(`checkpoint_${id}.json`, checkpointOf(id, info, gathered));
  yield jsonFile(`context_${id}.json`, gathered.documents.get('context') ?? newContext(id, asked));
  yield jsonFile(
    `agent-description_${id}.json`,
    gathered.documents.get('agent-description') ?? newDescription(id, asked),
  );
};

async function gather(session: OutgoingSession, { onLeftOut }: TranscriptOptions): Promise<Gathered> {
  const compactions: { id: EntryId; at: number; body: Compaction }[] = [];
  const documents = new Map<string, Document['content']>();
  let loop: Loop | undefined;
  let covered = 0;
  let extra: Fields = {};
  for await (const entry of standing(session)) {
    const { id, body, at } = entry;
    const carried = foreignLineOf(DAGENT_FORMAT, body);
    if (body.kind === 'compaction') {
      compactions.push({ id, at, body });
      covered = Math.max(covered, body.covers.to);
    } else if (body.kind === 'document') documents.set(body.id, body.content);
    else if (body.kind === 'loop') loop = body;
    else if (carried?.type === 'fields') extra = parseObject(carried.text) ?? extra;
    else if (body.kind === 'message' ? body.role === 'tool' : body.kind === 'restoration') onLeftOut?.(entry);
  }
  return { compactions, documents, covered, extra, ...(loop && { loop }) };
}

async function* messagesOf(
  session: OutgoingSession,
  after: number,
  totals: { count: number; tokens: number; updated: number },
): AsyncGenerator<Fields> {
  for await (const { id, seq, at, body } of standing(session)) {
    if (seq <= after) continue;
    const carried = foreignLineOf(DAGENT_FORMAT, body);
    if (carried?.type === 'entry') yield parseObject(carried.text) ?? {};
    if (body.kind !== 'message' || body.role === 'tool') continue;
    const content = body.parts.flatMap(({ text }) => textOf(text) ?? []).join('\n');
    const kept = body.meta?.[DAGENT_FORMAT];
    const own =
      isFields(kept) && !('direction' in kept)
        ? kept
        : { id, timestamp: new Date(at).toISOString(), tokens: countText(content) };
    totals.count++;
    totals.tokens += typeof own.tokens === 'number' ? own.tokens : 0;
    totals.updated = Math.max(totals.updated, at);
    const { id: name, timestamp, ...rest } = own;
    yield {
      ...(name !== undefined && { id: name }),
      ...(timestamp !== undefined && { timestamp }),
      role: body.role,
      content,
      ...rest,
    };
  }
}

/** As it came, if nothing has been compacted since; otherwise folded from every summary. */
function checkpointOf(
  sessionId: string,
  { createdAt, state: { roots } }: SessionInfo,
  { compactions, loop }: Gathered,
): unknown {
  const last = compactions.at(-1);
  const kept = last?.body.meta?.[DAGENT_FORMAT];
  if (isFields(kept)) return kept;
  const checkpoint = foldCompactions(compactions.map(({ body }) => body));
  const standing = compactions.filter(({ id }) => roots.some((root) => root.id === id));
  const before = fieldsOf(
    compactions.findLast(({ body }) => isFields(body.meta?.[DAGENT_FORMAT]))?.body.meta?.[DAGENT_FORMAT],
  );
  const version = typeof before.version === 'number' ? before.version : 0;
  const since =
    compactions.length - compactions.findLastIndex(({ body }) => isFields(body.meta?.[DAGENT_FORMAT])) - 1;
  const file = writeCheckpointFile(checkpoint, {
    sessionId,
    version: version + since,
    createdAt,
    updatedAt: last?.at ?? createdAt,
    ...(loop && { loop }),
    lastCompactionInput: last?.body.tokensBefore ?? 0,
    totalSaved: compactions.reduce(
      (sum, { body }) => sum + Math.max(0, body.tokensBefore - body.tokensAfter),
      0,
    ),
  });
  const known = writeKnown(
    checkpoint,
    standing.map(({ body }) => body.summary),
  );
  return { ...file, ...known };
}

function newContext(sessionId: string, { info }: OutgoingSession): Fields {
  const { featureId, taskId, project } = info.state.settings;
  const context = {
    sessionId,
    type: taskId === undefined ? 'pm-feature' : 'dev-task',
    featureId: featureId ?? '',
    ...(taskId !== undefined && { taskId }),
    project: { structure: project === undefined ? {} : { root: project }, recentCommits: [] },
    updatedAt: new Date(info.updatedAt).toISOString(),
  };
  return { ...context, tokens: countText(JSON.stringify(context)) };
}

function newDescription(sessionId: string, { info }: OutgoingSession): Fields {
  const agent = info.state.settings.agent ?? '';
  const agentType = ['pm', 'dev', 'qa', 'harness', 'merge'].includes(agent) ? agent : 'dev';
  return {
    sessionId,
    agentType,
    role: agent,
    instructions: [],
    allowedTools: [],
    createdAt: new Date(info.createdAt).toISOString(),
    tokens: countText(agent),
  };
}
