import { expect, it } from 'vitest';
import { showContext } from '../../../src/operations/context/index.ts';
import { createAppOperation, perform } from '../../../src/operations/index.ts';
import { newEntryId } from '../../../src/record/index.ts';
import { reply } from '../../support/wire-script.ts';
import { startWireServer } from '../../support/wire-server.ts';
import { TRANSPORTS } from './transports.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

it.each([
  ['a long text', 'word '.repeat(30_000)],
  [
    'parts',
    [
      { type: 'text', text: 'Look at this.' },
      { type: 'file', mediaType: 'image/png', data: PIXEL },
    ],
  ],
])('the meter foretells the request for %s, and confirms it afterwards', async (_, content) => {
  await using model = await startWireServer('openai-chat', () => reply('Noted.'));
  await using line = await TRANSPORTS.http({ env: model.env });
  const { call } = line.client;
  const { id: sessionId } = await call('chat/session/create', { title: 'Talk' });
  await call('ai/session/send', { storageSessionId: sessionId, content: 'Hello', wait: true });
  // A question that has to be cut refers to itself by its id.
  const id = newEntryId();
  const next = await call('chat/context/meter', { sessionId, question: content, id, messages: true });
  await call('ai/session/send', { storageSessionId: sessionId, content, id, wait: true });
  const { session } = await call('chat/session/get', { sessionId });
  const then = await call('chat/context/meter', { sessionId, at: session.head, messages: true });
  const { tokens, parts, messages, steps } = next;
  expect(then).toMatchObject({ tokens, parts, messages, steps });
  expect(then.sent).toMatchObject({ model: next.model, exact: true });
  expect(next.sent).toBeUndefined();
});

it('the meter of a session without a whole answer gives what continue sends, as the command does', async () => {
  let isCut = true;
  await using model = await startWireServer('openai-chat', () =>
    isCut ? { ...reply('Half an answer that ends'), delivery: 'cut' } : reply('Noted.'),
  );
  await using line = await TRANSPORTS.http({ env: model.env });
  const { call } = line.client;
  const { id: sessionId } = await call('chat/session/create', { title: 'Talk' });
  await call('ai/session/send', { storageSessionId: sessionId, content: 'Which port?', wait: true });
  isCut = false;
  const next = await call('chat/context/meter', { sessionId, messages: true });
  await using app = createAppOperation(line.store, { env: model.env });
  const { context } = await perform(showContext, { sessionId }, app);
  expect({ tokens: next.tokens, messages: next.messages }).toEqual({
    tokens: context.tokens,
    messages: JSON.parse(JSON.stringify(context.messages)),
  });
  const any = await call('chat/context/meter', { sessionId, again: false });
  expect(any.tokens).toBeGreaterThan(next.tokens);
  const before = model.requests.length;
  await call('ai/session/continue', { storageSessionId: sessionId });
  const { body } = await model.received(before + 1);
  expect(body.messages.filter(({ role }: { role: string }) => role !== 'system')).toHaveLength(
    next.messages!.length,
  );
  expect(JSON.stringify(body.messages)).toContain('Which port?');
});
