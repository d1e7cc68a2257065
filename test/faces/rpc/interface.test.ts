import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/errors.ts';
import { createProgram } from '../../../src/faces/cli/create-program.ts';
import { DEFAULT_PORT, describeInterface, errorsOf } from '../../../src/faces/rpc/describe-interface.ts';
import { METHODS } from '../../../src/faces/rpc/index.ts';
import { EXAMPLES } from '../../../src/faces/rpc/methods/examples.ts';
import type { Method } from '../../../src/faces/rpc/methods/index.ts';
import { EntryBodySchema, nameOfBody } from '../../../src/operations/index.ts';
import { ENTRY_KINDS, PART_SHAPES, READABLE_BODIES } from '../../../src/record/index.ts';
import { createSession, openSession, trashSession } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { callTool, reply } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { until } from './conversations.ts';
import { valid } from './spoil.ts';
import { TRANSPORTS } from './transports.ts';

interface Document {
  readonly servers: readonly { url: string }[];
  readonly methods: readonly {
    name: string;
    examples?: readonly unknown[];
    errors: readonly { $ref: string }[];
  }[];
  readonly components: {
    readonly schemas: Readonly<Record<string, { properties?: Record<string, { const?: unknown }> }>>;
    readonly errors: Readonly<Record<string, { code: number; data: unknown }>>;
  };
}
const described = describeInterface('0.0.0') as unknown as Document;
const { schemas, errors } = described.components;
const page = readFileSync('docs/rpc.md', 'utf8');

describe('the OpenRPC document', () => {
  it.each([...ENTRY_KINDS, 'unknown'])(
    'has a schema for entries of kind %s, and the page a section',
    (kind) => {
      expect(Object.keys(schemas)).toContain(nameOfBody(kind));
      expect(page).toContain(`\n### ${nameOfBody(kind)}\n`);
      expect(JSON.stringify(schemas.EntryBody)).toContain(`"#/components/schemas/${nameOfBody(kind)}"`);
    },
  );

  it.each(Object.keys(PART_SHAPES))('has a schema for parts of type %s, and the page a section', (type) => {
    const name = Object.keys(schemas).find((one) => schemas[one]!.properties?.type?.const === type);
    expect(page).toContain(`\n### ${name}\n`);
    expect(JSON.stringify(schemas.Part)).toContain(`"#/components/schemas/${name}"`);
  });

  it('refers to nothing that is not there, and to nothing by its place', () => {
    const refs = [
      ...JSON.stringify(described).matchAll(/"\$ref":"#\/components\/(schemas|errors)\/([^"]+)"/g),
    ];
    expect(refs.length).toBeGreaterThan(100);
    expect(refs.filter(([, where, name]) => !(name! in (where === 'errors' ? errors : schemas)))).toEqual([]);
    expect(JSON.stringify(described)).not.toMatch(/"\$ref":"(?!#\/components\/)|__schema/);
  });

  it('has results that carry entries and messages refer to them', () => {
    expect(JSON.stringify(schemas.Entry)).toContain('"#/components/schemas/EntryBody"');
    expect(JSON.stringify(schemas.Message)).toContain('"#/components/schemas/Part"');
    expect(JSON.stringify(schemas.MessageBody)).toContain('"#/components/schemas/Part"');
  });

  it('names the default address of a server', async () => {
    const serve = (await createProgram()).commands.find((command) => command.name() === 'serve')!;
    expect(serve.options.find(({ long }) => long === '--port')!.description).toContain(String(DEFAULT_PORT));
    expect(described.servers).toMatchObject([{ url: `http://127.0.0.1:${DEFAULT_PORT}/rpc` }]);
  });

  it('has every error with its number', () => {
    expect(Object.keys(errors)).toEqual([...ERROR_CODES]);
    expect(errors.usage).toEqual({ code: -32602, message: 'usage', data: { code: 'usage' } });
  });
});

describe('bodies and parts', () => {
  const SOUND = JSON.parse(
    `[${[...readFileSync('docs/format.md', 'utf8').matchAll(/^```json\n(\{\n? *"kind"[\s\S]*?)^```$/gm)].map(([, text]) => text).join(',')}]`,
  ) as { kind: string }[];

  it.each(SOUND)('%j of the page about the format fits its own kind', (body) => {
    const own = READABLE_BODIES[body.kind as keyof typeof READABLE_BODIES];
    if (own) expect(own.safeParse(body).success).toBe(true);
    expect(EntryBodySchema.safeParse(body).success).toBe(true);
    expect(EntryBodySchema.safeParse({ ...body, kind: 'hologram' }).success).toBe(false);
  });

  it('of a turn with a tool, a thought and a long text are what the schemas say', async () => {
    await using model = await startWireServer('openai-chat', ({ body }) =>
      body.messages.at(-1).role === 'tool' ? reply('Done. '.repeat(9000)) : callTool('look', {}),
    );
    await using line = await TRANSPORTS.stdio({ env: model.env });
    const { client } = line;
    const { aiSessionId, chatSessionId } = await client.call('ai/session/create', {});
    const entries: { body: { kind: string; parts?: { type: string }[] } }[] = [];
    client.watch(chatSessionId, { after: 0, onEntry: (entry) => entries.push(entry as never) });
    await client.call('ai/session/send', { sessionId: aiSessionId, content: 'Go on.' });
    const said = await until(async () => {
      const { messages } = await client.call('chat/message/list', { sessionId: chatSessionId });
      return messages.length === 4 ? messages : undefined;
    });
    const parts = [
      ...said.flatMap((message) => message.parts),
      ...entries.flatMap(({ body }) => body.parts ?? []),
    ];
    const types = new Set(parts.map(({ type }) => type));
    expect([...types].sort()).toEqual(['text', 'tool-call', 'tool-result']);
    for (const part of parts.filter((one) => !('at' in one)))
      expect(PART_SHAPES[part.type as keyof typeof PART_SHAPES].safeParse(part).error).toBeUndefined();
    expect(JSON.stringify(said.at(-1))).toContain('"$blob"');
  });
});

it('the examples are what comes back, one after the other', async () => {
  await using line = await TRANSPORTS.stdio({ store: createMemoryStore() });
  /** Times differ from run to run; everything else does not. */
  const timeless = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (_, inner) =>
      typeof inner === 'number' && inner > 1e12 ? 'a time' : inner,
    );
  for (const { method, params, result } of EXAMPLES) {
    const text = await line.raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    expect(timeless(JSON.parse(text).result), method).toEqual(timeless(result));
  }
  const shown = described.methods.flatMap(({ examples = [] }) => examples);
  expect(shown).toHaveLength(EXAMPLES.length);
});

it.each(Object.keys(METHODS))('%s fails as the document says', async (name) => {
  await using line = await TRANSPORTS.stdio();
  const codeOf = async (params: object) => {
    const text = await line.raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params }));
    const { error } = JSON.parse(text) as { error?: { code: number; data: { code: string } } };
    if (error) expect(error.code).toBe(errors[error.data.code]!.code);
    return error?.data.code;
  };
  // A newer client may say more when it shakes hands.
  expect(await codeOf({ 'no such parameter': 1 })).toBe(name === 'initialize' ? undefined : 'usage');
  const known = errorsOf(METHODS[name as keyof typeof METHODS] as Method);
  const request = valid.find(({ method }) => method === name);
  if (!known.includes('session-not-found') || !request) return;
  const named = ['sessionId', 'chatSessionId', 'storageSessionId'].filter(
    (field) => field in METHODS[name as keyof typeof METHODS].params.shape,
  );
  const nowhere = Object.fromEntries(named.map((field) => [field, 'nowhere']));
  // A project that is not there is found out first.
  expect(['session-not-found', ...('project' in request.params ? ['project-not-found'] : [])]).toContain(
    await codeOf({ ...request.params, ...nowhere }),
  );
});

it.each(valid)('$method names the error of a request for a missing object', async (request) => {
  const store = createMemoryStore();
  await (await createSession(store, { id: 'kept' })).close();
  await using line = await TRANSPORTS.stdio({ store });
  const { error } = JSON.parse(await line.raw(JSON.stringify(request))) as {
    error?: { data: { code: string } };
  };
  const known = errorsOf(METHODS[request.method as keyof typeof METHODS] as Method);
  if (error) expect(known).toContain(error.data.code);
});

describe('the errors of a method', () => {
  const UUID = '01890000-0000-7000-8000-00000000beef';
  const content = 'Hello.';
  const send = { sessionId: 'ai', storageSessionId: 's', content, waitMs: 0 };

  it.each([
    ['initialize', { protocolVersions: ['99'] }, 'protocol-unsupported'],
    ['chat/session/open', { id: 'gone' }, 'session-gone'],
    ['chat/session/create', { id: 'gone' }, 'session-gone'],
    ['chat/session/create', { id: 's' }, 'session-exists'],
    ['chat/session/create', { id: 'a/b' }, 'session-id-invalid'],
    ['chat/session/fork', { sessionId: 's', id: 'gone' }, 'session-gone'],
    ['chat/session/get', { sessionId: 'gone' }, 'session-gone'],
    ['chat/session/delete', { sessionId: 's', purge: true }, 'session-not-trashed'],
    ['ai/session/send', { ...send, storageSessionId: 'gone' }, 'session-gone'],
    ['ai/session/send', send, 'lease-held'],
    ['ai/session/send', { ...send, storageSessionId: 'trashed' }, 'session-trashed'],
    ['ai/session/create', { chatSessionId: 'trashed' }, 'session-trashed'],
    ['ai/session/resume', { chatSessionId: 'trashed' }, 'session-trashed'],
    ['chat/message/add', { sessionId: 'trashed', role: 'user', content }, 'session-trashed'],
    ['turn/get', { sessionId: 's', turnId: UUID }, 'turn-not-found'],
    ['turn/retry', { sessionId: 's', turnId: UUID }, 'turn-not-found'],
    ['turn/steer', { sessionId: 's', content }, 'turn-not-running'],
  ] as const)('%s %j: %s, which the document lists', async (name, params, code) => {
    await using line = await TRANSPORTS.stdio({ store: createMemoryStore() });
    for (const id of ['s', 'gone', 'trashed']) await line.store.create({ id });
    await trashSession(line.store, 'trashed');
    await line.store.purge('gone');
    await using _other =
      code === 'lease-held' ? await openSession(line.store, 's', { owner: 'another window' }) : undefined;
    const text = await line.raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params }));
    expect(JSON.parse(text).error.data.code).toBe(code);
    expect(errorsOf(METHODS[name] as Method)).toContain(code);
  });

  it.each([
    ['nope', ['"balanced"', '"window"', '"off"']],
    [{ foo: 1 }, ['"balanced"', '"off"', '"compaction.trigger"', '"compaction.keep"', '"foo"']],
    [{ trigger: 'x', keep: {} }, ['"compaction.trigger": ', 'expected object']],
    [{ trigger: { share: 2 }, keep: {} }, ['"compaction.trigger.share": ']],
  ])('report the error of the policy %j', async (compaction, words) => {
    await using line = await TRANSPORTS.stdio();
    const params = { compaction };
    const text = await line.raw(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'chat/session/create', params }),
    );
    const { message } = JSON.parse(text).error as { message: string };
    for (const word of words) expect(message).toContain(word);
  });
});

describe('docs/rpc.md', () => {
  it('has the limits that a server tells', async () => {
    await using line = await TRANSPORTS.stdio();
    const { capabilities } = await line.client.initialize({ name: 'a test' });
    for (const [limit, value] of Object.entries(capabilities.limits))
      expect(page).toContain(`| \`${limit}\` | ${value} |`);
  });

  it('has every status that an error is answered with', () => {
    const app = readFileSync('src/faces/rpc/http/create-app.ts', 'utf8');
    const [, table = ''] = /const STATUS[^{]*\{([^}]*)\}/.exec(app) ?? [];
    const statuses = [...table.matchAll(/: (\d{3}),/g)].map(([, status]) => status!);
    expect(statuses.length).toBeGreaterThan(3);
    for (const status of [...statuses, '200', '204', '401', '404', '500'])
      expect(page).toContain(`\n| ${status} | `);
  });
});
