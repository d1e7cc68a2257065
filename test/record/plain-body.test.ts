import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainCompaction, isPlainMessage, isStrictlyPlainMessage } from '../../src/record/entry-body.ts';
import { Compaction, type Json, Message } from '../../src/record/index.ts';

const ID = '01932c07-a000-7000-8000-000000000001';
const line = { text: 'chose SQLite', from: [ID] };
const COMPACTION = {
  kind: 'compaction',
  level: 1,
  covers: { from: 1, to: 9 },
  children: [ID],
  summary: {
    background: 'Initial session.',
    overview: 'It began.',
    topics: [line],
    decisions: [line],
    completed: [line],
    pending: [line],
    blockers: [line],
    facts: [line],
    files: [{ path: 'src/log.ts', operations: ['read'], from: [ID] }],
    ledger: [{ kind: 'command', text: 'npm test', entry: ID }],
  },
  tokensBefore: 900,
  tokensAfter: 90,
  by: { kind: 'digest', version: '1' },
  retention: 0.9,
};
const MESSAGE = {
  kind: 'message',
  role: 'assistant',
  parts: [
    { type: 'text', text: 'Hello' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'b', input: {} },
  ],
  model: 'test:model',
  status: 'complete',
  usage: { inputTokens: 4, outputTokens: 50, cacheReadTokens: 900, cost: 0.25 },
  durationMs: 900,
  meta: { 'claude-code': { lines: [{ uuid: ID }] } },
};

const oddValue = fc.oneof(
  fc.constantFrom<Json>(null, '', 'x', 0, -1, 1, 0.5, 2 ** 33, true, [], {}, [null], [1], ['x'], [{}]),
  fc.constantFrom<Json>(
    { from: 2, to: 1 },
    { kind: 'model', model: 7 },
    { kind: 'robot' },
    [ID],
    ID,
    'digest',
  ),
);

/** The same body with one value, anywhere in it but its kind, replaced by another or left out. */
function damaged(body: Json): fc.Arbitrary<Json> {
  const places: (readonly (string | number)[])[] = [];
  const walk = (value: Json, path: readonly (string | number)[]) => {
    if (path.length > 0 && path[0] !== 'kind') places.push(path);
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) walk((value as Record<string, Json>)[key]!, [...path, key]);
    if (!Array.isArray(value)) places.push([...path, 'more']);
  };
  walk(body, []);
  return fc
    .tuple(fc.constantFrom(...places), fc.option(oddValue, { nil: undefined }))
    .map(([path, value]) => {
      const copy = structuredClone(body) as Record<string, Json>;
      const parent = path
        .slice(0, -1)
        .reduce<Record<string, Json>>((at, key) => at[key] as Record<string, Json>, copy);
      const last = path.at(-1)!;
      if (value === undefined) delete parent[last];
      else parent[last] = value;
      // As it would come from a file.
      return JSON.parse(JSON.stringify(copy)) as Json;
    });
}

describe('a body that is plain', () => {
  it('is what agents write most', () => {
    expect(isPlainMessage(MESSAGE as Message)).toBe(true);
    expect(isStrictlyPlainMessage(MESSAGE as Message)).toBe(true);
    expect(isPlainCompaction(COMPACTION as Compaction)).toBe(true);
  });

  it.each([
    ['message', MESSAGE, (body: Json) => isPlainMessage(body as unknown as Message), Message.loose()],
    [
      'message on its way in',
      MESSAGE,
      (body: Json) => isStrictlyPlainMessage(body as unknown as Message),
      Message,
    ],
    [
      'compaction',
      COMPACTION,
      (body: Json) => isPlainCompaction(body as unknown as Compaction),
      Compaction.loose(),
    ],
  ] as const)('is sound by its schema as well, whatever was done to it: %s', (_, body, isPlain, schema) => {
    fc.assert(
      fc.property(damaged(body as Json), (body) => {
        if (isPlain(body)) expect(schema.safeParse(body).error).toBeUndefined();
      }),
      { numRuns: 3000 },
    );
  });
});
