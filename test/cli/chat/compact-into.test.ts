import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openKnowledge } from '../../../src/agent/index.ts';
import type { Chat } from '../../../src/cli/chat/chat.ts';
import { createScreen } from '../../../src/cli/chat/screen.ts';
import { createSpendingCounter } from '../../../src/cli/chat/status-line.ts';
import { compactInto } from '../../../src/cli/chat/switch-session.ts';
import { ThroughlineError } from '../../../src/errors.ts';
import { chooseAnswering } from '../../../src/models/index.ts';
import { createSession } from '../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { assistant, user } from '../../../src/testing/index.ts';

/** A store in which no session can be made any more. */
function full(store: Store): Store {
  const refuse = async () => {
    throw new ThroughlineError('store-full', 'The disk is full.');
  };
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      return name === 'create' ? refuse : typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

it('stays in the session when the next one cannot be made', async () => {
  const store = createMemoryStore();
  const session = await createSession(store, { project: 'p' });
  await session.append([user('We decided to use Redis for the limiter.'), assistant('Noted.')]);
  const folder = path.join(tmpdir(), 'throughline-nowhere');
  const project: Chat['place']['project'] = { id: 'p', name: 'p', known: true, folders: [] } as never;
  const chat: Chat = {
    place: { store: full(store), location: path.join(folder, 'throughline.db'), folder, project },
    options: {},
    screen: { ...createScreen({ rich: false }), say() {}, warn() {}, whisper() {} },
    input: {} as never,
    session,
    agent: undefined,
    model: await chooseAnswering({ settings: {} }, { asked: 'offline' }),
    knowledge: openKnowledge(store),
    open: undefined,
    writer: undefined,
    warned: 0,
    load: undefined,
    startedHead: 0,
    spending: createSpendingCounter(),
    failed: undefined,
    shutdown: new AbortController(),
    stops: [],
    mirror: { note() {}, settled: async () => {}, [Symbol.asyncDispose]: async () => {} },
    unsaved: new Set(),
  };
  await expect(compactInto(chat)).rejects.toMatchObject({ code: 'store-full' });
  expect(chat.session).toBe(session);
  await session.append([user('Still here?')]);
});
