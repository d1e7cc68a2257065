import {
  type Entry,
  isBlobRef,
  type Part,
  type Seq,
  type SessionId,
  type SessionInfo,
} from '../../record/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import { piecesOfEntries, readPart } from '../../text/index.ts';
import { createTouchReader, type FileRequest, requestIn, type Touch } from './read-touches.ts';

const PAGE = 200;

/** The file touches of a session's messages after `start`. */
export async function readSession(store: Store, { id, head }: SessionInfo, start: Seq): Promise<Touch[]> {
  const asked = await lastRequest(store, id, start);
  const reader = createTouchReader({ request: asked?.request });
  for await (const page of pages(store, id, { after: start, upTo: head })) reader.read(page);
  return reader.end();
}

/** The file touches of the turns that these messages are in, each read from its request to its last result. */
export async function readFileTurns(
  store: Store,
  { id, head }: SessionInfo,
  { start, seqs }: { start: Seq; seqs: readonly Seq[] },
): Promise<Touch[]> {
  const touches: Touch[] = [];
  let done = start;
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    if (seq <= done) continue;
    const asked = await lastRequest(store, id, seq - 1);
    const reader = createTouchReader({ request: asked?.request });
    const after = Math.max(done, asked?.seq ?? 0);
    done = head;
    turn: for await (const page of pages(store, id, { after, upTo: head })) {
      for (const entry of page) {
        const [reading] = piecesOfEntries([entry]);
        if (entry.seq > seq && reader.waiting() === 0 && requestIn(reading!)) {
          done = entry.seq - 1;
          break turn;
        }
        reader.read([entry]);
      }
    }
    touches.push(...reader.end());
  }
  return touches;
}

async function* pages(
  store: Store,
  id: SessionId,
  { after: start, upTo }: { after: Seq; upTo: Seq },
): AsyncGenerator<Entry[]> {
  for (let after = start; ; ) {
    const page = await store.read(id, { after, upTo, limit: PAGE, only: 'messages' });
    yield await Promise.all(page.map((entry) => withCalls(store, entry)));
    if (page.length < PAGE) return;
    after = page.at(-1)!.seq;
  }
}

/** The newest request up to an entry. */
async function lastRequest(
  store: Store,
  id: SessionId,
  upTo: Seq,
): Promise<{ request: FileRequest; seq: Seq } | undefined> {
  for (let last = upTo; last > 0; ) {
    const range = { upTo: last, limit: PAGE, only: 'messages', order: 'newest-first' } as const;
    const page = await store.read(id, range);
    for (const reading of piecesOfEntries(page)) {
      const request = requestIn(reading);
      if (request) return { request, seq: reading.entry.seq };
    }
    if (page.length < PAGE) return undefined;
    last = page.at(-1)!.seq - 1;
  }
  return undefined;
}

/** A patch or a script may be so large that the entry holds only a preview of it, and it is what names the files. */
async function withCalls(store: Store, entry: Entry): Promise<Entry> {
  const { body } = entry;
  if (body.kind !== 'message' || !body.parts.some(isLargeCall)) return entry;
  const parts = await Promise.all(
    body.parts.map(async (part) => {
      if (!isLargeCall(part)) return part;
      const whole = await wholeBody({ ...body, parts: [part] }, (hash) => store.blob(hash));
      return whole.kind === 'message' ? whole.parts[0]! : part;
    }),
  );
  return { ...entry, body: { ...body, parts } };
}

/** Fields that hold commands, scripts and patches; text written into a file does not name the file. */
const SCRIPTS = ['command', 'cmd', 'script', 'commands', 'code', 'input', 'patch', 'patchText'] as const;

function isLargeCall(part: Part): boolean {
  const piece = readPart(part);
  if (piece.kind !== 'call') return false;
  if (isBlobRef(part) || isBlobRef(piece.input)) return true;
  return SCRIPTS.some((name) => holdsBlob((piece.input as Record<string, unknown> | undefined)?.[name]));
}

function holdsBlob(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isBlobRef(value) || Object.values(value).some(holdsBlob);
}
