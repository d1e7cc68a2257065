import { expect, it } from 'vitest';
import { ThroughlineError } from '../../../../src/errors.ts';
import { compactInto } from '../../../../src/faces/cli/chat/switch-session.ts';
import { createSession } from '../../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../../src/store/index.ts';
import { assistant, user } from '../../../../src/testing/index.ts';
import { chatIn } from './chat-in.ts';

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
  const chat = await chatIn(full(store), session);
  await expect(compactInto(chat)).rejects.toMatchObject({ code: 'store-full' });
  expect(chat.session).toBe(session);
  await session.append([user('Still here?')]);
});
