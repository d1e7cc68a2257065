import { sayCost, stopBackground } from '../../../agent/index.ts';
import { isThroughlineError } from '../../../errors.ts';
import { summariseSession } from '../../../operations/compaction/index.ts';
import { type OperationResult, perform } from '../../../operations/index.ts';
import type { Session } from '../../../session/index.ts';
import { sayNumber } from '../../../text/index.ts';
import { type Chat, isReading, stoppableChat, writerOf } from './chat.ts';
import { appOf } from './chat-app.ts';

const SUMMARY_MS = 60_000;

/** Leaves the session with a summary and says what became of it. Nothing that was said depends on it. */
export async function leaveSession(chat: Chat, { goodbye }: { goodbye: string }): Promise<void> {
  const { session, screen } = chat;
  if (!session) return screen.say(goodbye);
  if (isReading(chat) || !(await saidSomething(chat, session))) {
    const { id, info } = session;
    await closeSession(chat, session);
    screen.say(goodbye);
    // It holds the acknowledgement, which was paid for.
    if (!isReading(chat) && info.state.restoration && info.totals.messages === 0)
      screen.whisper(`Nothing was said in ${id} yet; the next chat here goes on in it.`);
    return;
  }
  // No request follows that a compaction would make room for.
  await stopBackground(session);
  await summarise(chat, session);
  chat.mirror.note(session);
  await chat.mirror.settled();
  const { combined, restoration, session: own } = await chat.spending(session);
  const { id } = session;
  const { queries } = session.info.totals;
  await closeSession(chat, session);
  screen.say(goodbye);
  screen.say('✓ Conversation saved successfully!');
  screen.say(`  Session ID: ${id}`);
  screen.say(`  Queries: ${queries}`);
  if (restoration.calls > 0) {
    const { inputTokens, outputTokens } = restoration.usage;
    screen.say(
      `  Restoration: ${sayNumber(restoration.tokens)} tokens (in: ${sayNumber(inputTokens)}, out: ${sayNumber(outputTokens)})`,
    );
    screen.say(`  Session Tokens: ${sayNumber(own.tokens)}`);
    screen.say(`  Combined Total: ${sayNumber(combined.tokens)}`);
  } else screen.say(`  Tokens: ${sayNumber(own.tokens)}`);
  if (chat.model.provider !== 'offline' || combined.cost > 0) screen.say(`  Cost: ${sayCost(combined)}`);
}

export async function closeSession(chat: Pick<Chat, 'unsaved'>, session: Session): Promise<void> {
  await stopBackground(session);
  try {
    await session.close();
  } catch (error) {
    if (isThroughlineError(error, 'not-saved')) chat.unsaved.add(session);
    throw error;
  }
}

/** A session that was only looked at stays as it was. */
async function saidSomething({ startedHead }: Chat, session: Session): Promise<boolean> {
  const { head, totals } = await session.refresh();
  return totals.queries > 0 && head > startedHead;
}

/** Writes the summary. If the model fails twice or takes too long, the session is saved without: the digest can be made at any time. */
async function summarise(chat: Chat, session: Session): Promise<void> {
  const { screen } = chat;
  await using app = appOf(chat);
  let begun = false;
  const tried = await stoppableChat(chat, (stop) =>
    perform(summariseSession, { sessionId: session.id, model: writerOf(chat), keep: 'may' }, app, {
      stop,
      modelTimeoutMs: patience(chat),
      onProgress() {
        begun = true;
        screen.begin('📝 Generating session summary... ');
      },
    }),
  ).catch((error: unknown) => {
    if (!isThroughlineError(error)) throw error;
    return { kept: false, failures: [], notKept: error, tokens: undefined };
  });
  if (!begun && tried.kept) return;
  if (tried.kept) return screen.end('✓');
  screen.end('✗');
  const { code, message } = tried.notKept ?? {};
  // It waits with the rest; leaving tells where that goes.
  if (code === 'not-saved') return;
  if (message !== undefined && TAKEN.some((taken) => taken === code)) return screen.warn(message);
  screen.warn(
    `Summary generation failed - session saved without a summary: ${sayReason(reasonOf(tried))} It can still be resumed; a digest is made then.${sayTaken(tried.tokens)}`,
  );
}

/** Another program goes on with the session, and leaves it with its own summary. */
const TAKEN = ['lease-lost', 'lease-held', 'head-moved'] as const;

function patience({ options: { timeout } }: Chat): number {
  return timeout === undefined ? SUMMARY_MS : Math.min(SUMMARY_MS, timeout * 1000);
}

function reasonOf({
  failures,
  notKept,
}: Pick<OperationResult<typeof summariseSession>, 'failures' | 'notKept'>): string {
  if (notKept) return notKept.code === 'cancelled' ? 'it was stopped.' : notKept.message;
  return failures.at(-1)?.reason ?? 'there was nothing to summarise.';
}

/** Why a summary failed, as a sentence before others. */
export function sayReason(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/** For behind the reason why a summary failed: its calls are paid all the same. */
export function sayTaken(tokens: number | undefined): string {
  return tokens === undefined ? '' : ` The calls took ${sayNumber(tokens)} tokens.`;
}
