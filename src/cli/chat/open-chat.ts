import { ThroughlineError } from '../../errors.ts';
import { loadAgent } from '../../run/index.ts';
import { openSession, type Session } from '../../session/index.ts';
import type { Chat, ChatInput, ChatOptions, ChatPlace } from './chat.ts';
import { chooseAgent } from './choose-agent.ts';
import { CONNECT, chooseModel } from './choose-model.ts';
import { describeChoice, describeSkipped, OWNER, openLastSession } from './choose-session.ts';
import { keepMirror } from './keep-mirror.ts';
import { resumeInto } from './resume-chat.ts';
import type { Screen } from './screen.ts';
import { createSpendingCounter } from './status-line.ts';
import { findParent } from './switch-session.ts';

/** Opens what a chat needs and says what it chose: the session, the agent, the model. */
export async function openChat({
  place,
  options,
  screen,
  input,
}: {
  place: ChatPlace;
  options: ChatOptions;
  screen: Screen;
  input: ChatInput;
}): Promise<Chat> {
  const session = await openFirst(place, options, screen);
  const chosen = session
    ? await chooseAgent({ options, agent: undefined, screen, input }, session.info.state.settings)
    : options.agent === undefined
      ? undefined
      : await loadAgent(options.agent);
  if (chosen === 'no') {
    await session?.close();
    throw new ThroughlineError('cancelled', 'The session stays with its agent.');
  }
  const agent = chosen;
  const { model, because, problem } = await chooseModel({ asked: options.model, agent, info: session?.info });
  if (problem !== undefined) screen.warn(problem);
  screen.say(`Model: ${model.id} (${because})`);
  if (model.provider === 'offline' && options.model === undefined) screen.whisper(CONNECT);
  if (agent) screen.say(`Agent: ${agent.name}`);
  const chat: Chat = {
    place,
    options,
    screen,
    input,
    session,
    agent,
    model,
    warned: 0,
    load: undefined,
    startedHead: session?.info.head ?? 0,
    spending: createSpendingCounter(),
    failed: undefined,
    stops: [],
    mirror: keepMirror(place.location, screen),
  };
  if (options.resume !== undefined) await resumeAtStart(chat, options.resume);
  return chat;
}

async function openFirst(
  place: ChatPlace,
  { new: fresh, continue: named, resume }: ChatOptions,
  screen: Screen,
): Promise<Session | undefined> {
  if (resume !== undefined) return undefined;
  if (fresh) {
    screen.say('Started a new session.');
    return undefined;
  }
  if (typeof named === 'string') {
    const session = await openSession(place.store, named, { owner: OWNER });
    screen.say(`Continuing ${describeChoice(session.info)}.`);
    return session;
  }
  const { session, skipped } = await openLastSession(place);
  if (session) screen.say(`Continuing ${describeChoice(session.info)}. "--new" starts another.`);
  else screen.say('Started a new session.');
  for (const line of describeSkipped(skipped)) screen.whisper(line);
  return session;
}

/** A session that is named and not there is never replaced by another in silence. */
async function resumeAtStart(chat: Chat, reference: string): Promise<void> {
  const { screen, input } = chat;
  screen.say('📋 Loading session...');
  const found = await findParent(chat, reference);
  if (found) {
    await resumeInto(chat, found);
    return;
  }
  const message = `Parent session ${reference} not found`;
  if (input.interactive) {
    screen.warn(`${message}, starting fresh`);
    if (await input.confirm('Continue? (y/n)')) return;
  }
  throw new ThroughlineError('session-not-found', `${message}. List sessions with "throughline sessions".`, {
    details: { session: reference },
  });
}
