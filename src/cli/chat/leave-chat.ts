import type { Draft } from '../../compaction/index.ts';
import { isThroughlineError, type ThroughlineError } from '../../errors.ts';
import { sayCost, stopBackground } from '../../run/index.ts';
import { readClosingSummary, type Session } from '../../session/index.ts';
import { sayNumber } from '../terminal/say.ts';
import { type Chat, isReading, stoppable } from './chat.ts';
import { draftClosingSummary, writeClosingSummary } from './closing-summary.ts';

const SUMMARY_MS = 60_000;

/** Leaves the session with a summary and says what became of it. Nothing that was said depends on it. */
export async function leaveSession(chat: Chat, { goodbye }: { goodbye: string }): Promise<void> {
  const { session, screen } = chat;
  if (!session) return screen.say(goodbye);
  if (isReading(chat) || !(await saidSomething(chat, session))) {
    await closeSession(chat, session);
    return screen.say(goodbye);
  }
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
  const { screen, place } = chat;
  const model = chat.writer ?? chat.model.opened;
  if (await readClosingSummary(place.store, session.info)) return;
  screen.begin('📝 Generating session summary... ');
  const { store } = place;
  const tried = await stoppable(chat, (signal) =>
    draftClosingSummary(store, session.info, { model, timeoutMs: patience(chat), signal }),
  ).catch((error: unknown) => {
    if (!isThroughlineError(error)) throw error;
    return error;
  });
  const outcome = tried && 'summary' in tried ? await write(session, tried) : tried;
  if (outcome === 'written') return screen.end('✓');
  screen.end('✗');
  // It waits with the rest; leaving tells where that goes.
  if (isThroughlineError(outcome, 'not-saved')) return;
  if (outcome instanceof Error && TAKEN.some((code) => isThroughlineError(outcome, code)))
    return screen.warn(outcome.message);
  screen.warn(
    `Summary generation failed (${reasonOf(outcome)}) - session saved without one. It can still be resumed: a digest is made then.`,
  );
}

/** Somebody else goes on with the session, and leaves it with a summary of their own. */
const TAKEN = ['lease-lost', 'lease-held', 'head-moved'] as const;

async function write(session: Session, draft: Draft): Promise<'written' | Draft | ThroughlineError> {
  if (draft.failures.length > 0) return draft;
  try {
    await writeClosingSummary(session, draft);
    return 'written';
  } catch (error) {
    if (!isThroughlineError(error)) throw error;
    return error;
  }
}

function patience({ options: { timeout } }: Chat): number {
  return timeout === undefined ? SUMMARY_MS : Math.min(SUMMARY_MS, timeout * 1000);
}

function reasonOf(tried: Draft | ThroughlineError | undefined): string {
  if (tried instanceof Error) return tried.code === 'cancelled' ? 'stopped' : tried.message;
  return tried?.failures.at(-1)?.reason ?? 'there was nothing to summarise';
}
