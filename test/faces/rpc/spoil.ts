import fc from 'fast-check';
import { expect } from 'vitest';
import { createCall } from '../../../src/faces/rpc/call.ts';
import { dispatch } from '../../../src/faces/rpc/dispatch/dispatch.ts';
import { createLanes } from '../../../src/faces/rpc/dispatch/lanes.ts';
import { METHODS } from '../../../src/faces/rpc/index.ts';
import { createService } from '../../../src/faces/rpc/service.ts';
import { OWNER } from '../../../src/operations/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';

const ID = '01890000-0000-7000-8000-000000000001';

/** One valid request for each method, to be spoiled. */
const VALUES: Record<string, unknown> = {
  sessionId: 'kept',
  chatSessionId: 'kept',
  storageSessionId: 'kept',
  id: ID,
  ids: [ID],
  role: 'user',
  content: 'Hello',
  query: 'hello',
  project: 'shop',
  text: 'The port is 8000.',
  title: 'A title',
  summary: '## Conversation Summary\nx',
  startMessageId: ID,
  endMessageId: ID,
  version: 1,
  from: 1,
  mark: 'pinned',
  watchId: 'w',
  feature: 'auth',
  task: 'login',
  type: 'dev-task',
  to: 'in_dev',
  question: 'What now?',
  toolCallId: 'call_1',
  turnId: ID,
  scope: 'session',
  approve: true,
  draft: ID,
  changes: [{ do: 'drop', line: 'part-1' }],
};

/** Where the same word means something else. */
const OF_METHOD: Record<string, Record<string, unknown>> = { 'checkpoint/diff': { to: 2 } };

export const valid = Object.entries(METHODS)
  // A model that is asked, or a name that is looked up on disk, is another matter.
  .filter(([name]) => !['models/list', 'ai/session/send', 'ai/session/continue'].includes(name))
  .map(([method, { params }]) => ({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: Object.fromEntries(
      Object.keys(params.shape)
        .filter((field) => field in VALUES && !(method === 'search' && field !== 'query'))
        .map((field) => [field, OF_METHOD[method]?.[field] ?? VALUES[field]]),
    ),
  }));

const spoiled = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom(
    -1,
    0,
    1e21,
    Number.MAX_SAFE_INTEGER,
    '',
    'x'.repeat(5000),
    '../../etc/passwd',
    '\u0000',
    '\ud800',
    '__proto__',
    [],
    {},
    null,
    true,
  ),
);

/** A valid request with one thing changed: a field replaced, added or taken away, or the text itself damaged. */
const mutation = fc
  .tuple(fc.constantFrom(...valid), fc.nat(5), fc.nat(), spoiled, fc.string({ maxLength: 12 }))
  .map(([request, how, where, value, name]) => {
    const { params } = request;
    const fields = Object.keys(params);
    const field = fields[where % Math.max(1, fields.length)] ?? 'x';
    const text = JSON.stringify(request);
    switch (how) {
      case 0:
        return JSON.stringify({ ...request, params: { ...params, [field]: value } });
      case 1:
        return JSON.stringify({ ...request, params: { ...params, [name]: value } });
      case 2: {
        const { [field]: _, ...rest } = params;
        return JSON.stringify({ ...request, params: rest });
      }
      case 3:
        return JSON.stringify({ ...request, [['jsonrpc', 'id', 'method', 'params'][where % 4]!]: value });
      case 4:
        return text.slice(0, where % text.length) + name + text.slice((where % text.length) + 1);
      default:
        return JSON.stringify([request, value, request]);
    }
  });

const said = { kind: 'message', role: 'user', parts: [{ type: 'text', text: 'Keep me.' }] } as const;

/** Sends so many to a server with one message in its store, and looks whether it is still there. */
export async function spoil(runs: number): Promise<void> {
  await using store = createMemoryStore();
  await store.create({ id: 'kept' });
  await store.append('kept', [{ id: ID, body: said }]);
  const surprises: unknown[] = [];
  await using service = createService({ store, env: {}, onError: (error) => surprises.push(error) });
  const call = createCall(service, OWNER);
  const lanes = createLanes();
  // So that what is spoiled has something to be about.
  await store.append('kept', [{ body: { kind: 'setting', name: 'project', value: 'shop', by: 'user' } }]);
  for (const method of ['work/feature/set', 'work/task/set'])
    await dispatch(JSON.stringify(valid.find((each) => each.method === method)), call, lanes);
  await fc.assert(
    fc.asyncProperty(mutation, async (text) => {
      const answer = await dispatch(text, call, lanes);
      if (answer === undefined) return;
      for (const { jsonrpc, error } of [JSON.parse(answer)].flat()) {
        expect(jsonrpc).toBe('2.0');
        if (error) expect([-32700, -32600, -32601, -32602, -32000]).toContain(error.code);
        if (error) expect(error.data.code).not.toBe('unexpected');
      }
      expect(surprises).toEqual([]);
    }),
    { numRuns: runs },
  );
  expect((await store.entry('kept', ID))?.body).toEqual(said);
}
