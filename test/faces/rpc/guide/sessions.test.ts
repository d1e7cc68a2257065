import { describe, expect, it } from 'vitest';
import { sentence, talk } from '../conversations.ts';
import { DRIVERS } from './drivers.ts';

describe.each(DRIVERS)('sessions over %s', (_, open) => {
  it('are created, listed, changed, put into the trash, brought back and purged', async () => {
    await using port = await open();
    const { client } = port;
    const { session } = await client.call('chat/session/create', {
      title: 'Ports',
      tags: ['net'],
      agent: 'Simple Sally',
      provider: 'claude',
      model: 'claude-opus-4-5',
      settings: { theme: 'dark' },
    });
    expect(session).toMatchObject({ title: 'Ports', tags: ['net'], provider: 'anthropic', place: 'active' });
    expect(session.id).toMatch(/^simple_sally_/);
    expect((await client.call('chat/session/get', { sessionId: session.id })).session).toEqual(session);
    await client.call('chat/message/add', { sessionId: session.id, role: 'user', content: 'Hello.' });
    const other = await client.call('chat/session/create', { id: 'other' });
    const list = await client.call('chat/session/list', { limit: 1 });
    expect(list.sessions).toHaveLength(1);
    const rest = await client.call('chat/session/list', { limit: 1, cursor: list.cursor! });
    expect([...list.sessions, ...rest.sessions].map(({ id }) => id).sort()).toEqual(
      [session.id, other.session.id].sort(),
    );
    const changed = await client.call('chat/session/update', {
      sessionId: session.id,
      title: 'Ports and protocols',
      addTags: ['urgent'],
      removeTags: ['net'],
      place: 'archived',
      model: null,
    });
    expect(changed.session).toMatchObject({
      title: 'Ports and protocols',
      tags: ['urgent'],
      place: 'archived',
      model: null,
    });
    expect((await client.call('chat/session/list', { place: 'archived' })).sessions).toHaveLength(1);
    await expect(
      client.call('chat/session/delete', { sessionId: session.id, purge: true }),
    ).rejects.toMatchObject({ code: 'session-not-trashed' });
    await client.call('chat/session/delete', { sessionId: session.id });
    const back = await client.call('chat/session/update', { sessionId: session.id, place: 'active' });
    expect(back.session.place).toBe('active');
    await client.call('chat/session/delete', { sessionId: session.id });
    expect(await client.call('chat/session/delete', { sessionId: session.id, purge: true })).toEqual({
      id: session.id,
      deleted: true,
      purged: true,
    });
    await expect(client.call('chat/session/get', { sessionId: session.id })).rejects.toMatchObject({
      code: 'session-gone',
    });
  });

  it('fork at any entry, and show the family', async () => {
    await using port = await open();
    const { client } = port;
    const { id, messages } = await talk(client, 6, { title: 'Root' });
    const { session: fork } = await client.call('chat/session/fork', {
      sessionId: id,
      at: messages[3]!,
      title: 'Branch',
    });
    expect(fork).toMatchObject({ parent: id, relation: 'fork', messages: 4, title: 'Branch' });
    const { root } = await client.call('chat/session/lineage', { sessionId: fork.id });
    expect(root.session.id).toBe(id);
    expect(root.children).toMatchObject([{ session: { id: fork.id }, branchedAt: 6, children: [] }]);
    const page = await client.call('chat/message/list', { sessionId: fork.id });
    expect(page.messages.map((message) => message.id)).toEqual(messages.slice(0, 4));
  });

  it('hold messages in pages, documents and to-dos, and give them all for building a context', async () => {
    await using port = await open();
    const { client } = port;
    const { id: sessionId, messages } = await talk(client, 25);
    const newest = await client.call('chat/message/list', { sessionId, limit: 10 });
    expect(newest.messages.map(({ id }) => id)).toEqual(messages.slice(15));
    const older = await client.call('chat/message/list', { sessionId, limit: 10, before: newest.before! });
    expect(older.messages.map(({ id }) => id)).toEqual(messages.slice(5, 15));
    const first = await client.call('chat/message/list', { sessionId, limit: 10, before: older.before! });
    expect([first.messages.length, first.before]).toEqual([5, null]);
    const after = await client.call('chat/message/list', {
      sessionId,
      limit: 5,
      after: first.messages[4]!.seq,
    });
    expect(after.messages.map(({ id }) => id)).toEqual(messages.slice(5, 10));
    await client.call('chat/document/put', { sessionId, id: 'plan', title: 'Plan', content: 'Draft' });
    const { document } = await client.call('chat/document/put', {
      sessionId,
      id: 'plan',
      title: 'Plan',
      content: { steps: ['one'] },
    });
    expect((await client.call('chat/document/get', { sessionId, id: 'plan' })).document).toEqual(document);
    const { todo } = await client.call('chat/todo/put', {
      sessionId,
      text: 'Write it',
      status: 'in_progress',
    });
    const { context } = await client.call('chat/context/build', { sessionId });
    expect(Object.keys(context)).toEqual(['session', 'messages', 'documents', 'todos', 'compactions']);
    expect(context.messages.map(({ id }) => id)).toEqual(messages);
    expect([context.documents, context.todos, context.compactions]).toEqual([[document], [todo], []]);
    await client.call('chat/document/delete', { sessionId, id: 'plan' });
    await client.call('chat/todo/delete', { sessionId, id: todo.id });
    expect((await client.call('chat/document/list', { sessionId })).documents).toEqual([]);
    expect((await client.call('chat/todo/list', { sessionId })).todos).toEqual([]);
  });

  it('have a checkpoint with a history that can be compared and restored', async () => {
    await using port = await open();
    const { client } = port;
    const { session } = await client.call('chat/session/create', {});
    const sessionId = session.id;
    for (let index = 0; index < 40; index++) {
      const content =
        index % 2 ? sentence(index) : `We decided to use option ${index}. TODO: check part ${index}.`;
      await client.call('chat/message/add', { sessionId, role: index % 2 ? 'assistant' : 'user', content });
    }
    await client.call('ai/context/compact', { chatSessionId: sessionId, keepRecentCount: 20 });
    await client.call('ai/context/compact', { chatSessionId: sessionId, keepRecentCount: 4 });
    const { versions } = await client.call('checkpoint/history', { sessionId });
    expect(versions.map(({ version }) => version)).toEqual([1, 2]);
    const old = await client.call('checkpoint/get', { sessionId, version: 1 });
    const { changes } = await client.call('checkpoint/diff', { sessionId, from: 1, to: 2 });
    expect(changes.length).toBeGreaterThan(0);
    const restored = await client.call('checkpoint/restore', { sessionId, version: 1 });
    expect(restored).toMatchObject({ version: 3, restored: 1, checkpoint: old.checkpoint });
    expect(await client.call('checkpoint/diff', { sessionId, from: 1 })).toMatchObject({
      to: 3,
      changes: [],
    });
  });

  it('share what their project knows', async () => {
    await using port = await open();
    const { client } = port;
    const { id: sessionId } = await talk(client, 2, { project: 'shop' });
    const { fact, project } = await client.call('memory/add', {
      project: 'shop',
      text: 'The port is 8000.',
      sessionId,
    });
    expect(project.name).toBe('shop');
    const edited = await client.call('memory/edit', {
      project: 'shop',
      id: fact.id,
      text: 'The port is 9000.',
    });
    const { facts, budget } = await client.call('memory/list', { project: 'shop' });
    expect(facts.map(({ text }) => text)).toEqual(['The port is 9000.']);
    expect(budget.stored).toBe(1);
    const meter = await client.call('chat/context/meter', { sessionId, messages: true });
    expect(meter.instructions).toContain('9000');
    expect(meter.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(meter.window);
    await client.call('memory/retract', { project: 'shop', id: edited.fact.id, reason: 'Moved.' });
    const { steps } = await client.call('memory/history', { project: 'shop' });
    expect(steps.map(({ step }) => step)).toEqual(['added', 'superseded', 'added', 'retracted']);
    const { projects } = await client.call('projects/list');
    expect(projects).toMatchObject([{ name: 'shop', sessions: 1, known: true }]);
    expect((await client.call('models/list')).models.some(({ isDefault }) => isDefault)).toBe(true);
  });
});
