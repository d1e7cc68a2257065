import { describe, expect, it } from 'vitest';
import { runTurn, type TurnEvent } from '../../src/agent/index.ts';
import { findRefused } from '../../src/agent/request/find-refused.ts';
import { withoutUnsendable } from '../../src/context/index.ts';
import { openModel } from '../../src/models/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, logOf, user } from '../../src/testing/index.ts';
import { badRequest, reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';

const MODEL = 'anthropic:claude';
const picture = { type: 'file', mediaType: 'image/png', data: 'cGljdHVyZQ==' };
const report = { type: 'file', mediaType: 'application/pdf', data: 'cmVwb3J0' };
const text = { type: 'text', text: 'Look at this.' };

describe('what a provider refuses', () => {
  const shown = user([text, picture, report, picture]);

  it('is the part that it names, if that is of the kind', () => {
    const log = logOf(shown);
    const entry = log[0]!.id;
    const refused = (part?: number) =>
      findRefused(log, { about: 'image', item: { message: 0, ...(part !== undefined && { part }) } }, MODEL);
    expect(refused(3)).toEqual([{ about: 'image', model: MODEL, entry, part: 3 }]);
    expect(refused(2).map(({ part }) => part)).toEqual([1, 3]);
    expect(refused().map(({ part }) => part)).toEqual([1, 3]);
    expect(findRefused(log, { about: 'document' }, MODEL)).toEqual([
      { about: 'document', model: MODEL, entry, part: 2 },
    ]);
  });

  it('is not what it has accepted before, unless there is nothing else', () => {
    const accepted = [user([picture]), assistant('I see it.', { model: MODEL })];
    const log = logOf(...accepted, user([text, picture]));
    expect(findRefused(log, { about: 'image' }, MODEL)).toMatchObject([{ entry: log[2]!.id, part: 1 }]);
    const later = logOf(...accepted, user('And now?'));
    expect(findRefused(later, { about: 'image' }, MODEL)).toMatchObject([{ entry: later[0]!.id }]);
  });

  it('may stand in the output of a tool', () => {
    const output = {
      type: 'content',
      value: [
        { type: 'text', text: 'Here:' },
        { ...picture, type: 'file-data' },
      ],
    };
    const log = logOf({
      kind: 'message',
      role: 'tool',
      parts: [{ type: 'tool-result', toolCallId: 'a', toolName: 'shot', output }],
    });
    const refused = findRefused(log, { about: 'image' }, MODEL);
    expect(refused).toMatchObject([{ part: 0, item: 1 }]);
    const [sent] = withoutUnsendable(log, refused, MODEL);
    expect(JSON.stringify(sent)).not.toContain(picture.data);
    expect(JSON.stringify(sent)).toContain('refused by the provider');
  });

  it('is kept from that model only, and the log stays as it is', () => {
    const log = logOf(shown);
    const before = structuredClone(log);
    const refused = findRefused(log, { about: 'image', item: { message: 0, part: 1 } }, MODEL);
    expect(withoutUnsendable(log, refused, 'openai:gpt')[0]).toBe(log[0]);
    const [sent] = withoutUnsendable(log, refused, MODEL);
    expect(sent!.body).toMatchObject({ parts: [text, { type: 'text' }, report, picture] });
    expect(log).toEqual(before);
  });

  it('is nothing that could be left out when it is about something else', () => {
    expect(findRefused(logOf(shown), { about: 'tool-pair' }, MODEL)).toEqual([]);
    expect(findRefused(logOf(shown), {}, MODEL)).toEqual([]);
    expect(findRefused(logOf(user('Hi')), { about: 'image' }, MODEL)).toEqual([]);
  });
});

it('refused reasoning is left out once, and for the messages until then', async () => {
  const reasoning = { text: 'Deep thoughts.', signature: 'c2lnbmVk' };
  await using server = await startWireServer('anthropic', [
    reply('First.', { reasoning }),
    badRequest('messages.1.content.0: Invalid `signature` in `thinking` block'),
    reply('Second.', { reasoning: { ...reasoning, text: 'New thoughts.' } }),
    reply('Third.'),
  ]);
  const session = await createSession(createMemoryStore(), { id: 's' });
  const model = await openModel(server.reference, { env: server.env });
  const mended: TurnEvent[] = [];
  const onEvent = (event: TurnEvent) => void (event.type === 'request-mend' && mended.push(event));
  for (const question of ['One', 'Two', 'Three']) await runTurn(session, question, { model, onEvent });
  expect(mended).toMatchObject([{ about: 'reasoning' }]);
  const sent = server.requests.map(({ body }) => JSON.stringify(body));
  expect(sent.map((body) => body.includes('Deep thoughts.'))).toEqual([false, true, false, false]);
  expect(sent[3]).toContain('New thoughts.');
  expect((await session.read())[1]!.body).toMatchObject({
    parts: expect.arrayContaining([expect.objectContaining({ type: 'reasoning', text: 'Deep thoughts.' })]),
  });
});
