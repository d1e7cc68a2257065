import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type BlobRef, type EntryBody, isBlobRef, type Message } from '../../record/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import { user } from '../messages.ts';
import { compaction, foreign, setting, summaryOf } from '../notes.ts';
import { promise } from './promise.ts';

const LONG = 'It was a long and winding log. '.repeat(3000);
const BYTES = Uint8Array.from({ length: 50_000 }, (_, n) => (n * 7) % 256);

function filePart(data: unknown) {
  return { type: 'file', mediaType: 'application/octet-stream', data };
}

/** Appends to a new session and reads back: the entry as it is stored, and the body made whole again. */
async function roundTrip(store: Store, body: EntryBody) {
  if (!(await store.session('s'))) await store.create({ id: 's' });
  const [appended] = await store.append('s', [{ body }]);
  const entry = (await store.entry('s', appended!.id))!;
  return { entry, whole: await wholeBody(entry.body, (hash) => store.blob(hash)) };
}

function firstPart(body: EntryBody): Readonly<Record<string, unknown>> {
  return (body as Message).parts[0]!;
}

export const blobPromises = [
  promise('keeps a long text beside the log and gives it back whole', async ({ store }) => {
    const { entry, whole } = await roundTrip(store, user(LONG));
    const ref = firstPart(entry.body).text as BlobRef;
    ok(isBlobRef(ref));
    ok(JSON.stringify(entry.body).length < 2000);
    deepEqual(
      [ref.as, ref.bytes, LONG.startsWith(ref.preview), ref.preview.length > 0],
      ['text', LONG.length, true, true],
    );
    equal(Buffer.from(await store.blob(ref.$blob)).toString(), LONG);
    deepEqual(whole, user(LONG));
  }),

  promise('names a blob by the SHA-256 of its bytes', async ({ store }) => {
    const { entry } = await roundTrip(store, user([filePart(BYTES)]));
    const ref = firstPart(entry.body).data as BlobRef;
    equal(ref.$blob, createHash('sha256').update(BYTES).digest('hex'));
  }),

  promise('gives bytes back as bytes and base64 as the same text', async ({ store }) => {
    for (const data of [BYTES, new Uint8Array([0]), Buffer.from(BYTES).toString('base64')]) {
      const { whole } = await roundTrip(store, user([filePart(data)]));
      deepEqual(firstPart(whole).data, data);
    }
  }),

  promise('keeps what many entries and sessions hold only once', async ({ store }) => {
    const base64 = Buffer.from(BYTES).toString('base64');
    await roundTrip(store, user([filePart(BYTES), filePart(base64)]));
    await store.create({ id: 't' }, [{ body: user([filePart(BYTES)]) }, { body: user([filePart(BYTES)]) }]);
    equal((await store.verify()).blobs, 1);
  }),

  promise('gives back a text that is large and not valid Unicode', async ({ store }) => {
    const text = `${'x\ud800y\udc00\0'.repeat(10_000)}\ud83d`;
    const { whole } = await roundTrip(store, user(text));
    equal(firstPart(whole).text, text);
  }),

  promise('keeps an entry small that is large only as a sum', async ({ store }) => {
    const rows = Array.from({ length: 2000 }, (_, n) => ({ row: n, text: 'a short line of output' }));
    const body = user([
      { type: 'tool-result', toolCallId: 'c', toolName: 'query', output: { type: 'json', value: rows } },
    ]);
    const { entry, whole } = await roundTrip(store, body);
    ok(JSON.stringify(entry.body).length < 5000);
    equal(firstPart(entry.body).toolCallId, 'c');
    deepEqual(whole, body);
  }),

  promise("never takes somebody else's object with a $blob key for a reference", async ({ store }) => {
    const hash = 'ab'.repeat(32);
    const bodies: EntryBody[] = [
      user([{ type: 'data', value: { $blob: hash, as: 'text', bytes: 1, preview: '' } }]),
      user([{ type: 'data', $blob: hash }]),
      { ...user('a'), meta: { $blob: null } },
      foreign('hologram', { $blob: hash, deep: [{ $blob: { $blob: 1 } }] }),
      { kind: 'document', id: 'd', title: 'd', content: { $blob: LONG } },
    ];
    for (const body of bodies) deepEqual((await roundTrip(store, body)).whole, body);
  }),

  promise('keeps every field where readers look for it, however large it is', async ({ store }) => {
    const lines = Array.from({ length: 1000 }, (_, n) => ({ text: `a point about file ${n}.ts`, from: [] }));
    const summary = { ...summaryOf(LONG), decisions: lines };
    const { entry } = await roundTrip(store, compaction({ covers: { from: 1, to: 1 }, summary }));
    deepEqual(entry.body.kind === 'compaction' && entry.body.summary, summary);
    await roundTrip(store, setting('title', LONG));
    equal((await store.session('s'))?.state.title?.text, LONG);
    const todo = { kind: 'todo', id: 't', text: LONG, status: 'pending' } as const;
    const loop = {
      kind: 'loop',
      iteration: 1,
      passed: [],
      failed: [LONG],
      lastError: LONG,
    } satisfies EntryBody;
    for (const body of [todo, loop]) deepEqual((await roundTrip(store, body)).entry.body, body);
  }),

  promise('keeps its own copy of the bytes', async ({ store }) => {
    const mine = BYTES.slice();
    const { entry } = await roundTrip(store, user([filePart(mine)]));
    const { $blob } = firstPart(entry.body).data as BlobRef;
    mine.fill(0);
    (await store.blob($blob)).fill(0);
    deepEqual(new Uint8Array(await store.blob($blob)), BYTES);
  }),

  promise('counts the tokens of what is set aside', async ({ store }) => {
    const { entry } = await roundTrip(store, user(LONG));
    const short = await roundTrip(store, user('short'));
    ok(entry.tokens > 1000 && entry.tokens > short.entry.tokens);
    notEqual((firstPart(entry.body).text as BlobRef).tokens, undefined);
  }),

  promise('says so when a blob is not there', async ({ store }) => {
    for (const hash of ['ab'.repeat(32), '', '../secret'])
      await rejects(store.blob(hash), { code: 'blob-missing' });
  }),

  promise('writes no blob for an append that fails', async ({ store }) => {
    await store.create({ id: 's' });
    const failing = [{ body: user(LONG) }, { body: { kind: 'nonsense' } as unknown as EntryBody }];
    await rejects(store.append('s', failing), { code: 'entry-invalid' });
    await rejects(store.append('s', [{ body: user(LONG) }], { expectedHead: 7 }), { code: 'head-moved' });
    equal((await store.verify()).blobs, 0);
  }),
];
