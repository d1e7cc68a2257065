import { z } from 'zod';
import type { Message, SessionInfo } from '../../record/index.ts';
import { readClosingSummary } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { sayMessage } from '../../text/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';

/** Messages that are looked through for the last exchange: the end of a long run of tools. */
const LOOKED_AT = 400;

export const showStandingOperation = operation({
  name: 'session/standing',
  summary: 'Where a conversation stands: its last exchange, and what is open.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({
    question: z.string().nullable().describe('The last message of the user that has words.'),
    answer: z.string().nullable().describe('The last words of the answer to it.'),
    open: z
      .array(z.string())
      .describe(
        'Blockers and open points: of the summary that the session was left with, else of its compactions.',
      ),
  }),
  faces: { rpc: true },
  async run({ sessionId }, app) {
    const info = await app.find(sessionId);
    return { ...(await lastExchange(app.store, info)), open: await openPoints(app.store, info) };
  },
});

async function lastExchange(store: Store, { id, head }: SessionInfo) {
  const newest = await store.read(id, { only: 'messages', after: Math.max(0, head - LOOKED_AT) });
  const said = newest.flatMap(({ body }) => (body.kind === 'message' ? [body] : []));
  const asked = said.findLastIndex((message) => message.role === 'user' && wordsOf(message) !== '');
  const answer = said
    .slice(asked + 1)
    .findLast((message) => message.role === 'assistant' && wordsOf(message) !== '');
  return { question: asked < 0 ? null : wordsOf(said[asked]!), answer: answer ? wordsOf(answer) : null };
}

function wordsOf(message: Message): string {
  const none = () => '';
  return sayMessage(message, { thought: none, call: none, result: none, other: none }).trim();
}

async function openPoints(store: Store, info: SessionInfo): Promise<string[]> {
  const { readCheckpoint } = await import('../../compaction/index.ts');
  const { pending, blockers } =
    (await readClosingSummary(store, info)) ?? (await readCheckpoint(store, info));
  return [...blockers, ...pending].map(({ text }) => text);
}
