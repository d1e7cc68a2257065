import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCall } from '../../../src/faces/rpc/call.ts';
import { dispatch } from '../../../src/faces/rpc/dispatch/dispatch.ts';
import { createLanes } from '../../../src/faces/rpc/dispatch/lanes.ts';
import { METHODS } from '../../../src/faces/rpc/index.ts';
import { createService } from '../../../src/faces/rpc/service.ts';
import { type Access, OWNER } from '../../../src/operations/index.ts';
import { findProject } from '../../../src/project/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { openWork } from '../../../src/work/index.ts';
import { makeRepository } from '../../work/workshop.ts';
import { valid } from './spoil.ts';

const ANN: Access = { user: 'ann', mayWrite: true, projects: ['shop'] };

const store = createMemoryStore();
const service = createService({ store, env: {}, checkResults: true });
const lanes = createLanes();
const folders = makeRepository({ git: false });
const NOBODYS = '01890000-0000-7000-8000-00000000dead';
/** What there is of another project, by the field that names it. */
const foreign = { session: 'secret', work: '', project: 'bank', projectId: '', compaction: '' };

/** As much of the answers as is looked at. */
interface Got {
  readonly message: { readonly id: string };
  readonly compaction: { readonly id: string };
  readonly session: { readonly session: string };
  readonly project: { readonly id: string };
  readonly hits: readonly object[];
  readonly sessions: readonly object[];
}

interface Answer {
  readonly result?: Got;
  readonly error?: { readonly data: { readonly code: string } };
}

async function ask(access: Access, method: string, params: object): Promise<Answer> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return JSON.parse((await dispatch(text, createCall(service, access), lanes))!);
}

async function get(access: Access, method: string, params: object): Promise<Got> {
  const { result, error } = await ask(access, method, params);
  expect(error).toBeUndefined();
  return result!;
}

async function plan(access: Access, project: string): Promise<string> {
  const place = { project, feature: 'auth', task: 'login' };
  await get(access, 'work/feature/set', { project, feature: 'auth' });
  await get(access, 'work/task/set', place);
  return (await get(access, 'work/session/open', { ...place, type: 'dev-task' })).session.session;
}

beforeAll(async () => {
  await get(OWNER, 'chat/session/create', { id: 'mine', project: 'shop' });
  await get(OWNER, 'chat/session/create', { id: 'secret', project: 'bank' });
  const said: string[] = [];
  for (const content of ['Hello.', 'Decision: the vault is purple.', 'Hello again.']) {
    const add = { sessionId: 'secret', role: 'user', content };
    said.push((await get(OWNER, 'chat/message/add', add)).message.id);
  }
  const compaction = await get(OWNER, 'chat/compaction/create', {
    sessionId: 'secret',
    summary: '## Conversation Summary\nSomebody said hello.',
    startMessageId: said[0],
    endMessageId: said[1],
  });
  foreign.compaction = compaction.compaction.id;
  foreign.work = await plan(OWNER, 'bank');
  const fact = { project: 'bank', text: 'The vault is purple.' };
  foreign.projectId = (await get(OWNER, 'memory/add', fact)).project.id;
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folders[Symbol.dispose]();
});

const SESSIONS = ['sessionId', 'chatSessionId', 'storageSessionId', 'parent', 'lineage'];
const MODELS = ['ai/session/send', 'ai/session/continue'].map((method) => ({
  method,
  params: { sessionId: 'x', storageSessionId: 'mine', ...(method.endsWith('send') && { content: 'Hello' }) },
}));

/** Every method, with each of its fields that names something which may belong to others. */
const NAMING = [...valid, ...MODELS].flatMap(({ method, params }) => {
  const fields = Object.keys(METHODS[method as keyof typeof METHODS].params.shape);
  const own = Object.entries(params).map(([name, value]) => [name, value === 'kept' ? 'mine' : value]);
  // There `sessionId` is that of an AI session, which is known to nobody but whoever opened it.
  const isOurs = (field: string) => field !== 'sessionId' || !MODELS.some((each) => each.method === method);
  const names = fields.filter((field) => (SESSIONS.includes(field) && isOurs(field)) || field === 'project');
  return names.map((field) => {
    const { chatSessionId, ...rest } = Object.fromEntries(own);
    // A session that is there already has its project.
    return { method, field, params: field === 'project' ? rest : { ...rest, chatSessionId } };
  });
});

describe('for a token of one project, data of another', () => {
  it.each(NAMING)('does not exist: $field of $method', async ({ method, field, params }) => {
    const names =
      field === 'project' ? [foreign.project, foreign.projectId] : [foreign.session, foreign.work];
    for (const name of names) {
      const there = await ask(ANN, method, { ...params, [field]: name });
      const nowhere = await ask(ANN, method, { ...params, [field]: 'nowhere' });
      expect(JSON.parse(JSON.stringify(there).replaceAll(name, 'nowhere'))).toEqual(nowhere);
    }
  });

  it.each(['get', 'apply', 'expand', 'collapse', 'delete'])(
    'does not exist: chat/compaction/%s by id',
    async (what) => {
      const there = await ask(ANN, `chat/compaction/${what}`, { id: foreign.compaction });
      const nowhere = await ask(ANN, `chat/compaction/${what}`, { id: NOBODYS });
      expect(nowhere.error?.data.code).toBe('entry-not-found');
      expect(JSON.parse(JSON.stringify(there).replaceAll(foreign.compaction, NOBODYS))).toEqual(nowhere);
    },
  );

  it('is there for a token without limits', async () => {
    for (const { method, params } of valid.filter(({ method }) => /\/(?:list|get|tree)$/.test(method)))
      if ('sessionId' in params && !('id' in params) && !('version' in params) && !('turnId' in params))
        await get(OWNER, method, { ...params, sessionId: foreign.session });
    await get(OWNER, 'chat/compaction/get', { id: foreign.compaction });
    await get(OWNER, 'work/checkpoint', { sessionId: foreign.work });
    await get(OWNER, 'memory/list', { project: foreign.projectId });
  });

  it.each(['create', 'open', 'fork'])(
    'takes an id in the same words whether its session is there or was purged: chat/session/%s',
    async (what) => {
      const ids = [`there-${what}`, `gone-${what}`, crypto.randomUUID().toUpperCase()];
      for (const id of ids) await get(OWNER, 'chat/session/create', { id, project: 'bank' });
      const plain = (id: string, answer: Answer) =>
        JSON.parse(JSON.stringify(answer).replaceAll(id, 'X').replaceAll(id.toLowerCase(), 'X'));
      const [there, ...purged] = ids;
      for (const sessionId of purged) {
        await get(OWNER, 'chat/session/delete', { sessionId });
        await get(OWNER, 'chat/session/delete', { sessionId, purge: true });
      }
      const asked = (id: string) =>
        ask(ANN, `chat/session/${what}`, { id, ...(what === 'fork' && { sessionId: 'mine' }) });
      const taken = plain(there!, await asked(there!));
      expect(taken.error.data).toEqual({ code: 'session-exists', details: { session: 'X' } });
      for (const id of purged) expect(plain(id, await asked(id))).toEqual(taken);
      const known = { id: purged[0], ...(what === 'fork' && { sessionId: 'mine' }) };
      expect((await ask(OWNER, `chat/session/${what}`, known)).error?.data.code).toBe('session-gone');
    },
  );

  it('is not named as the parent of their sessions', async () => {
    await get(OWNER, 'chat/session/fork', { sessionId: 'secret', id: 'branch' });
    await get(OWNER, 'chat/session/update', { sessionId: 'branch', project: 'shop' });
    const { session } = await get(ANN, 'chat/session/get', { sessionId: 'branch' });
    expect(session).toMatchObject({ parent: null, relation: null });
    for (const method of ['chat/session/list', 'chat/session/lineage', 'chat/context/build']) {
      const params = method.endsWith('list') ? {} : { sessionId: 'branch' };
      expect(JSON.stringify(await get(ANN, method, params))).not.toContain('"secret"');
    }
    const shown = (await get(OWNER, 'chat/session/get', { sessionId: 'branch' })).session;
    expect(shown).toMatchObject({ parent: 'secret', relation: 'fork' });
  });

  it('is not shown in requests, whatever setting asks for it', async () => {
    const sessionId = await plan(ANN, 'shop');
    const show = (id: string) =>
      store.append(sessionId, [{ body: { kind: 'setting', name: `shows:${id}`, value: true, by: 'user' } }]);
    const request = async () =>
      JSON.stringify(await get(ANN, 'work/request', { sessionId, question: 'What is decided?' }));
    await using work = await openWork(store, { project: await findProject(store, 'shop') });
    await expect(work.showCheckpoint(sessionId, 'secret')).rejects.toMatchObject({ code: 'usage' });
    await show('secret');
    expect(await request()).not.toContain('purple');
    const content = 'Decision: the counter is yellow.';
    await get(ANN, 'chat/message/add', { sessionId: 'mine', role: 'user', content });
    await show('mine');
    expect(await request()).toContain('yellow');
  });

  it('is not a folder that ends as their project is called', async () => {
    const [there, nowhere] = ['bob/shop', 'eve/shop'].map((each) => path.join(folders.path, each)) as [
      string,
      string,
    ];
    mkdirSync(there, { recursive: true });
    writeFileSync(path.join(there, 'CLAUDE.md'), 'The vault is purple.');
    for (const [method, more] of [
      ['work/features', {}],
      ['work/feature/set', { feature: 'auth' }],
      ['memory/list', {}],
    ] as const) {
      const answer = await ask(ANN, method, { project: there, ...more });
      expect(answer.error?.data.code).toBe('project-not-found');
      const text = JSON.stringify(answer).replaceAll(there, nowhere);
      expect(JSON.parse(text)).toEqual(await ask(ANN, method, { project: nowhere, ...more }));
    }
  });

  it('is not found by what its sessions call it, nor by its name', async () => {
    for (const project of [foreign.project, foreign.projectId, foreign.projectId.slice(0, -2)]) {
      expect((await get(ANN, 'search', { query: '', project })).hits).toEqual([]);
      expect((await get(ANN, 'chat/session/list', { project })).sessions).toEqual([]);
      expect((await get(OWNER, 'search', { query: '', project })).hits).not.toEqual([]);
    }
  });

  it('is not a conversation that the agent SDK keeps', async () => {
    const cliSessionId = 'of-somebody-else';
    for (const [method, more] of [
      ['chat/session/create', {}],
      ['chat/session/update', { sessionId: 'mine' }],
    ] as const)
      expect((await ask(ANN, method, { ...more, cliSessionId })).error?.data.code).toBe('access-denied');
    await get(ANN, 'chat/session/update', { sessionId: 'mine', cliSessionId: null });
    await get(OWNER, 'chat/session/update', { sessionId: 'mine', cliSessionId });
  });
});
