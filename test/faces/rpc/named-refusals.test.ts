import { describe, expect, it } from 'vitest';
import { createCall } from '../../../src/faces/rpc/call.ts';
import { dispatch } from '../../../src/faces/rpc/dispatch/dispatch.ts';
import { createLanes } from '../../../src/faces/rpc/dispatch/lanes.ts';
import { METHODS, type MethodName } from '../../../src/faces/rpc/index.ts';
import { createService } from '../../../src/faces/rpc/service.ts';
import { OWNER } from '../../../src/operations/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { valid } from './spoil.ts';

/** As they stand in a request: a parser of JSON makes an infinite number of 1e999. */
const HOSTILE = [
  ...['null', 'true', '-1', '1.5', '1e999', '""', '[]', '{}', '[null]', '[[]]', '[""]'],
  ...['{"__proto__":{"a":1}}', '{"constructor":{}}', '"__proto__"', '"\\ud800"', '"\\u0000"'],
  JSON.stringify('x'.repeat(100_000)),
  JSON.stringify(Array(10_000).fill('a')),
  `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`,
];

const requests = [
  ...valid,
  { method: 'ai/session/send', params: { storageSessionId: 'kept', content: 'Hello' } },
  { method: 'ai/session/continue', params: { storageSessionId: 'kept' } },
  { method: 'models/list', params: {} },
] as { method: MethodName; params: Record<string, unknown> }[];

describe('a hostile parameter', () => {
  it.each(requests)('of $method is taken, or refused by its name', async ({ method, params }) => {
    await using store = createMemoryStore();
    await store.create({ id: 'kept' });
    const surprises: unknown[] = [];
    await using service = createService({ store, env: {}, onError: (error) => surprises.push(error) });
    const call = createCall(service, OWNER);
    const lanes = createLanes();
    const schema = METHODS[method].params;
    for (const field of [...Object.keys(schema.shape), 'nowhere'])
      for (const text of HOSTILE) {
        const { [field]: _, ...others } = params;
        const rest = JSON.stringify(others).slice(1, -1);
        const given = `{${rest}${rest && ','}${JSON.stringify(field)}:${text}}`;
        const request = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${given}}`;
        const { error } = JSON.parse((await dispatch(request, call, lanes))!);
        if (!schema.safeParse(JSON.parse(given)).success) {
          expect([field, error]).toEqual([field, expect.objectContaining({ code: -32602 })]);
          expect(error.message).toContain(`"${field}`);
        }
        if (error) expect([-32602, -32000]).toContain(error.code);
        expect([field, text.slice(0, 50), surprises]).toEqual([field, text.slice(0, 50), []]);
      }
    expect({}).not.toHaveProperty('a');
  });
});
