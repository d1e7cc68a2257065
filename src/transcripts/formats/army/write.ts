import { type Compaction, type Document, isPinned } from '../../../record/index.ts';
import { foldCompactions, renderSummary, writeWorkingSet } from '../../../summary/index.ts';
import { sayMessage } from '../../../text/index.ts';
import { countText } from '../../../tokens/index.ts';
import { standing } from '../../export/interleave.ts';
import { jsonFile, jsonFileWithList } from '../../export/write-json.ts';
import { foreignLineOf } from '../../foreign-lines.ts';
import { originOf } from '../../import-origin.ts';
import { fieldsOf, isFields } from '../../source/fields.ts';
import { type Fields, parseObject } from '../../source/recover-line.ts';
import type { OutgoingEntry, OutgoingSession, TranscriptOptions, Writer } from '../../transcript.ts';
import { ARMY_FORMAT, KEPT, readSet } from './read.ts';

const LIMIT = 100_000;

interface Gathered {
  readonly compactions: readonly Compaction[];
  readonly context: Document['content'];
  readonly recent: readonly { role: string; content: string }[];
  readonly pinned: readonly string[];
  /** Files as they came, if nothing has been said since. */
  readonly files: ReadonlyMap<string, string>;
  readonly messages: number;
}

/** A session's folder as AIarmy keeps it, and the pointer to it. */
export const writeArmy: Writer = async function* ({ asked }, options = {}) {
  const { info } = asked;
  const id = originOf(info, ARMY_FORMAT)?.session ?? info.id;
  const folder = `sessions/${id}`;
  const gathered = await gather(asked, options);
  const { files, context, messages } = gathered;
  yield* jsonFileWithList(`${folder}/full.json`, {
    before: {},
    list: 'messages',
    items: messagesOf(asked),
    after: () => (isFields(context) ? context : { context: {} }),
  });
  const as = (name: string, value: () => unknown) => {
    const kept = files.get(name);
    return kept === undefined
      ? jsonFile(`${folder}/${name}`, value())
      : { file: `${folder}/${name}`, text: kept };
  };
  const created = new Date(info.createdAt).toISOString();
  yield as('working.json', () => workingSetOf(gathered, info.totals.tokens));
  yield as('state.json', () => ({ created_at: created, tokens_used: info.totals.tokens }));
  yield as('metadata.json', () => ({
    session_id: id,
    created_at: created,
    last_updated: new Date(info.updatedAt).toISOString(),
    message_count: messages,
    token_count: info.totals.tokens,
  }));
  yield { file: 'current_session', text: id };
};

function messageFields({ body }: OutgoingEntry): Fields | undefined {
  const carried = foreignLineOf(ARMY_FORMAT, body);
  if (carried?.type === 'message') return parseObject(carried.text);
  if (body.kind !== 'message' || body.role === 'tool') return undefined;
  const content = sayMessage(body);
  const kept = fieldsOf(body.meta?.[ARMY_FORMAT]);
  // An answer that is nothing but tool calls has no words to keep.
  return content === '' && body.parts.length > 0 && body.parts[0]!.type !== 'text'
    ? undefined
    : { role: body.role, content, ...kept };
}

async function* messagesOf(session: OutgoingSession): AsyncGenerator<Fields> {
  for await (const entry of standing(session)) {
    const message = messageFields(entry);
    if (message) yield message;
  }
}

async function gather(session: OutgoingSession, { onLeftOut }: TranscriptOptions): Promise<Gathered> {
  const compactions: Compaction[] = [];
  const files = new Map<string, string>();
  const recent: { role: string; content: string }[] = [];
  const pinned: string[] = [];
  let context: unknown = {};
  let messages = 0;
  for await (const entry of standing(session)) {
    const { body } = entry;
    const carried = foreignLineOf(ARMY_FORMAT, body);
    const message = messageFields(entry);
    if (message) {
      messages++;
      files.clear();
      recent.push({ role: String(message.role), content: String(message.content) });
      if (recent.length > KEPT) recent.shift();
      if (isPinned(session.info.state, entry)) pinned.push(String(message.content));
    } else if (body.kind === 'compaction') {
      compactions.push(body);
      const kept = readSet(body.meta);
      if (kept === undefined) files.delete('working.json');
      else files.set('working.json', kept);
    } else if (body.kind === 'document' && body.id === 'context') context = body.content;
    else if (carried) files.set(carried.type, carried.text);
    else if (body.kind === 'message' || body.kind === 'restoration') onLeftOut?.(entry);
  }
  return { compactions, context, recent, pinned, files, messages };
}

function workingSetOf({ compactions, recent, pinned }: Gathered, used: number): unknown {
  const last = compactions.at(-1);
  const summary = last ? last.summary.overview || renderSummary(last.summary) : '';
  return writeWorkingSet(foldCompactions(compactions), {
    summary,
    pinned,
    recent,
    tokens: { used: Math.max(used, countText(summary)), limit: LIMIT },
  });
}
