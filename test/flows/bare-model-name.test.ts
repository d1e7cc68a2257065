import { describe, expect, it } from 'vitest';
import { contextFor, openAgent } from '../../src/agent/index.ts';
import { createSession, openSession } from '../../src/session/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { TRANSPORTS } from '../faces/rpc/transports.ts';
import { startWireServer } from '../support/wire-server.ts';
import { obligingModel } from './chat-model.ts';
import { createChatPlace } from './chat-place.ts';

const BARE = 'm2';
const MEANT = 'compatible:m2';
const ID = 'talk';

/** Sessions keep their provider apart from the model, or, as imports do, in the name of the model alone. */
describe.each([{ provider: 'compatible', model: 'm1' }, { model: 'compatible:m1' }])(
  'in a session set to %o, the name of a model that tells no provider',
  (settings) => {
    async function stage() {
      const place = createChatPlace();
      const server = await startWireServer('openai-chat', obligingModel());
      await using store = await place.open();
      await using session = await createSession(store, { id: ID, settings });
      for (let turn = 0; turn < 8; turn++)
        await session.append([user(`Question ${turn}?`), assistant(`Answer ${turn}. ${'word '.repeat(60)}`)]);
      return { place, server, env: server.env };
    }

    it("is a model of the session's provider in the library", async () => {
      const { place, server, env } = await stage();
      using _ = place;
      await using __ = server;
      await using store = await place.open();
      const openModel = { env };
      for (const model of [BARE, { model: BARE }])
        expect((await contextFor(store, ID, { openModel, model })).model).toBe(MEANT);
      await using session = await openSession(store, ID);
      await using agent = await openAgent(session, { openModel, model: BARE });
      await agent.send('Who answers?');
      expect([agent.model.id, server.requests.at(-1)?.body.model]).toEqual([MEANT, BARE]);
      expect((await contextFor(store, ID, { openModel })).model).toBe(MEANT);
    });

    it("is a model of the session's provider in the terminal", async () => {
      const { place, server, env } = await stage();
      using _ = place;
      await using __ = server;
      const asked = ['--model', BARE];
      const shown = await place.run(['context', ID, ...asked, '--json'], { env });
      expect(JSON.parse(shown.stdout).model).toBe(MEANT);
      const preview = await place.run(['compact', ID, ...asked, '--keep', '4', '--preview'], { env });
      expect([preview.code, server.requests.length]).toEqual([0, 0]);
      for (const talk of [
        () => place.run(['compact', ID, ...asked, '--keep', '4'], { env }),
        () => place.talk(['Who answers?', 'exit'], { env, args: ['--resume', ID, ...asked] }),
        () => place.talk(['Who answers?', 'exit'], { env, args: ['--continue', ID, ...asked] }),
      ]) {
        const before = server.requests.length;
        expect((await talk()).code).toBe(0);
        expect(new Set(server.requests.slice(before).map(({ body }) => body.model))).toEqual(new Set([BARE]));
      }
    });

    it("is a model of the session's provider over RPC, and the provider alone is the session's model", async () => {
      const { place, server, env } = await stage();
      using _ = place;
      await using __ = server;
      await using store = await place.open();
      await using line = await TRANSPORTS.http({ store, env });
      const { call } = line.client;
      expect((await call('chat/context/meter', { sessionId: ID, model: BARE })).model).toBe(MEANT);
      const asked = { storageSessionId: ID, content: 'Who answers?', wait: true };
      expect((await call('ai/session/send', { ...asked, model: BARE })).turn?.model).toBe(MEANT);
      const provider = 'compatible';
      expect((await call('chat/context/meter', { sessionId: ID, provider })).model).toBe('compatible:m1');
      expect((await call('ai/session/resume', { chatSessionId: ID, provider })).model).toBe('m1');
      expect((await call('ai/session/send', { ...asked, provider })).turn?.model).toBe('compatible:m1');
    });
  },
);
