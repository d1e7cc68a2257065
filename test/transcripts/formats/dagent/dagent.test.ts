import { describe, expect, it } from 'vitest';
import { emptySummary } from '../../../../src/record/index.ts';
import { createSession, readFrontier } from '../../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../../src/store/index.ts';
import { assistant, compaction, toolResult, user } from '../../../../src/testing/index.ts';
import { readDagent } from '../../../../src/transcripts/formats/dagent/read.ts';
import { writeDagent } from '../../../../src/transcripts/formats/dagent/write.ts';
import { transcriptContract } from '../../contract.ts';
import { exportFiles, hashes, importText, logOfSession, sessionsOf } from '../../transfer.ts';

const ID = 'dev-task-7f3a';

const messages = (...texts: string[]) =>
  texts.map((content, index) => ({
    id: `0f000000-0000-4000-8000-00000000000${index}`,
    timestamp: `2026-01-10T10:00:0${index}.000Z`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
    tokens: 3,
  }));

const chat = (list: unknown[]) =>
  JSON.stringify(
    {
      sessionId: ID,
      messages: list,
      metadata: {
        createdAt: '2026-01-10T09:59:00.000Z',
        updatedAt: '2026-01-10T10:00:01.000Z',
        messageCount: list.length,
        tokenCount: 6,
      },
    },
    null,
    2,
  );

const checkpoint = (version: number) =>
  JSON.stringify({
    sessionId: ID,
    version,
    createdAt: '2026-01-10T09:59:00.000Z',
    updatedAt: `2026-01-10T11:0${version}:00.000Z`,
    summary: {
      completedItems: ['The form'],
      pendingItems: ['Its tests'],
      decisions: ['No library'],
      blockers: [],
    },
    ralphLoop: { currentIteration: 2, passedChecks: ['build'], failedChecks: ['test'], lastError: 'boom' },
    tokens: { checkpoint: 20, lastCompactionInput: 900, totalSaved: 880 },
  });

const BESIDE = {
  [`checkpoint_${ID}.json`]: checkpoint(1),
  [`context_${ID}.json`]: JSON.stringify({
    sessionId: ID,
    type: 'dev-task',
    featureId: 'f1',
    taskId: 't1',
    tokens: 5,
  }),
  [`agent-description_${ID}.json`]: JSON.stringify({
    sessionId: ID,
    agentType: 'dev',
    role: 'You build.',
    instructions: ['Be brief'],
    allowedTools: ['read'],
    createdAt: '2026-01-10T09:59:00.000Z',
    tokens: 9,
  }),
};

const old = JSON.stringify({
  entries: [
    { role: 'user', content: 'Make a form.', timestamp: '2024-12-15T10:00:00.000Z' },
    null,
    { role: 123, content: ['no'] },
    { role: 'assistant', content: 'Made.', timestamp: '2024-12-15T10:01:00.000Z', metadata: { deep: true } },
  ],
});

const task = JSON.stringify({
  taskId: 'task-1',
  agentId: 'dev-agent-x',
  status: 'completed',
  startedAt: '2024-12-15T11:00:00.000Z',
  messages: [
    {
      timestamp: '2024-12-15T11:00:00.000Z',
      direction: 'harness_to_task',
      type: 'approval',
      content: 'Begin.',
    },
    {
      timestamp: '2024-12-15T11:05:00.000Z',
      direction: 'task_to_harness',
      type: 'intention',
      content: 'I plan.',
    },
  ],
});

transcriptContract({
  format: 'dagent',
  reader: readDagent,
  lines: false,
  samples: {
    'a chat alone': chat(messages('One?', 'Two.')),
    'the old chat': old,
    'the session of a task': task,
  },
});

const read = (store: Store, text: string, beside: Record<string, string> = BESIDE) =>
  importText(store, readDagent, text, { format: 'dagent', beside });

describe('the four files of a session', () => {
  it('become a session with its checkpoint, documents and loop', async () => {
    const store = createMemoryStore();
    const [report] = await read(store, chat(messages('Next?', 'Tests.')));
    expect(report).toMatchObject({ id: ID, messages: 2, compactions: 1, damage: 0 });
    const [session] = await sessionsOf(store);
    expect(session?.state).toMatchObject({ settings: { agent: 'dev', featureId: 'f1', taskId: 't1' } });
    expect(Object.keys(session!.state.documents)).toEqual(['agent-description', 'context']);
    expect(session?.state.loop).toBeDefined();
    const [first, ...rest] = await readFrontier(store, session!);
    expect(first?.body).toMatchObject({
      summary: { completed: [{ text: 'The form' }], decisions: [{ text: 'No library' }] },
    });
    expect(rest).toHaveLength(2);
  });

  it('are the same log after they were written and read again', async () => {
    const store = createMemoryStore();
    await read(store, chat(messages('Next?', 'Tests.')));
    const files = await exportFiles(store, ID, writeDagent);
    expect([...files.keys()]).toEqual(
      ['chat', 'checkpoint', 'context', 'agent-description'].map((kind) => `${kind}_${ID}.json`),
    );
    expect(JSON.parse(files.get(`checkpoint_${ID}.json`)!)).toEqual(JSON.parse(checkpoint(1)));
    expect(JSON.parse(files.get(`chat_${ID}.json`)!).messages).toEqual(messages('Next?', 'Tests.'));
    const again = createMemoryStore();
    await read(again, files.get(`chat_${ID}.json`)!, Object.fromEntries(files));
    expect(await hashes(again)).toEqual(await hashes(store));
  });

  it('have no summary while their checkpoint says nothing', async () => {
    const store = createMemoryStore();
    const empty = {
      ...JSON.parse(checkpoint(0)),
      summary: { completedItems: [], pendingItems: [], decisions: [], blockers: [] },
    };
    const beside = { ...BESIDE, [`checkpoint_${ID}.json`]: JSON.stringify(empty) };
    const [report] = await read(store, chat(messages('Next?', 'Tests.')), beside);
    expect(report).toMatchObject({ messages: 2, compactions: 0, damage: 0 });
    const files = await exportFiles(store, ID, writeDagent);
    expect(JSON.parse(files.get(`checkpoint_${ID}.json`)!).summary).toMatchObject(empty.summary);
    const again = createMemoryStore();
    const [back] = await read(again, files.get(`chat_${ID}.json`)!, Object.fromEntries(files));
    expect(back).toMatchObject({ messages: 2, compactions: 0, damage: 0 });
  });

  it('keep messages from before the program emptied its list', async () => {
    const store = createMemoryStore();
    await read(store, chat(messages('One?', 'Two.')), {
      ...BESIDE,
      [`checkpoint_${ID}.json`]: checkpoint(0),
    });
    await read(store, chat(messages('One?', 'Two.').map((one) => ({ ...one, id: `1${one.id.slice(1)}` }))));
    const [report] = await read(store, chat([]));
    expect(report).toMatchObject({ branches: 0, added: 0 });
    const log = await logOfSession(store, ID);
    expect(log.filter(({ body }) => body.kind === 'message')).toHaveLength(4);
    const frontier = await readFrontier(store, (await sessionsOf(store))[0]!);
    expect(frontier.map(({ body }) => body.kind)).toEqual(['compaction', 'message', 'message']);
  });

  it('are written for a session of ours: compacted messages are in the checkpoint', async () => {
    const store = createMemoryStore();
    await using session = await createSession(store, { id: 'ours', agent: 'qa' });
    await session.append([
      user('One?'),
      assistant('Two.'),
      compaction({
        covers: { from: 1, to: 3 },
        summary: { ...emptySummary('x'), pending: [{ text: 'Three', from: [] }] },
      }),
      user('Go on.'),
      toolResult('grep', 'a'),
      assistant('Gone.'),
    ]);
    const left: string[] = [];
    const files = await exportFiles(store, 'ours', writeDagent, {
      onLeftOut: ({ body }) => left.push(body.kind),
    });
    const written = JSON.parse(files.get('chat_ours.json')!);
    expect(written.messages.map(({ content }: { content: string }) => content)).toEqual(['Go on.', 'Gone.']);
    expect(written.metadata.messageCount).toBe(2);
    expect(JSON.parse(files.get('checkpoint_ours.json')!)).toMatchObject({
      version: 1,
      summary: { pendingItems: ['Three'] },
    });
    expect(left).toEqual(['message']);
  });

  it('of older layouts keep their words, and what cannot be one is kept beside', async () => {
    const store = createMemoryStore();
    const [first] = await read(store, old, {});
    expect(first).toMatchObject({ messages: 2, damageKinds: { misshapen: 2 } });
    const [second] = await read(store, task, {});
    expect(second).toMatchObject({ id: 'task-1-dev-agent-x', messages: 2 });
    const roles = (await logOfSession(store, second!.id)).flatMap(({ body }) =>
      body.kind === 'message' ? [body.role] : [],
    );
    expect(roles).toEqual(['user', 'assistant']);
  });
});
