import { type Load, PRESETS } from '../../src/compaction/index.ts';
import { createSession, readConversation, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';

export const settings = { ...PRESETS.balanced, trigger: { tokens: 2_000 }, keep: { messages: 2 } };
const text = 'a good many words about the state of things and what to do next with them. '.repeat(8);

/** A session to talk in, and how full its context is. */
export async function start(): Promise<{
  session: Session;
  measure: () => Promise<Load>;
  say(turns: number): Promise<void>;
}> {
  const session = await createSession(createMemoryStore(), { id: 's' });
  const measure = async () => {
    const { frontier } = await readConversation(session.store, await session.refresh());
    const tokens = frontier.reduce((sum, entry) => sum + entry.tokens, 0);
    return { tokens, room: 100_000, messages: frontier.length, lines: session.info.head };
  };
  const say = async (turns: number) => {
    for (let n = 0; n < turns; n++) await session.append([user(`q ${text}`), assistant(`a ${text}`)]);
  };
  return { session, measure, say };
}
