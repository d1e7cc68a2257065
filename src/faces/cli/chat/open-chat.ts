import { chooseFor, type Knowledge } from '../../../agent/index.ts';
import { isThroughlineError, ThroughlineError } from '../../../errors.ts';
import { answering } from '../../../models/index.ts';
import { EMPTY_STATE, type SessionInfo } from '../../../record/index.ts';
import type { Session } from '../../../session/index.ts';
import { readLastList } from '../last-list.ts';
import { openWriter } from '../standing-compaction.ts';
import type { Chat, ChatInput, ChatOptions, ChatPlace } from './chat.ts';
import { chooseChatAgent, loadNamedAgent } from './choose-agent.ts';
import { describeChoice, describeSkipped, findChatConversation, openLastSession } from './choose-session.ts';
import type { MirrorKeeper } from './load-transcript.ts';
import { chooseWay, describeHolder, openIn, wayOf } from './open-held.ts';
import { resumeInto } from './resume-chat.ts';
import type { Screen } from './screen.ts';
import { createSpendingCounter, showStanding, takeModel } from './status-line.ts';
import { findParent, isMissing, sayMissing } from './switch-session.ts';

/** Opens what a chat needs and says what it chose: the session, the agent, the model. */
export async function openChat({
  place,
  options,
  screen,
  input,
  mirror,
  knowledge,
}: {
  place: ChatPlace;
  options: ChatOptions;
  screen: Screen;
  input: ChatInput;
  mirror: MirrorKeeper;
  knowledge: Knowledge;
}): Promise<Chat> {
  const session = await openFirst({ place, options, screen, input });
  const chosen = session
    ? await chooseChatAgent({ options, agent: undefined, screen, input }, session.info.state.settings)
    : await loadNamedAgent(options);
  if (chosen === 'no') {
    await session?.close();
    throw new ThroughlineError(
      'cancelled',
      'Nothing was opened: the session stays with its agent. "--new" starts another with the one you named; without "--agent" it goes on with its own.',
    );
  }
  const agent = chosen;
  const choose = (model: string | undefined) =>
    chooseFor(session?.info ?? { state: EMPTY_STATE }, { model, agent });
  const { chosen: first, agentProblem } = await choose(options.model).catch((error: unknown) => {
    // The session that is resumed may tell the provider.
    if (options.resume === undefined || !isThroughlineError(error, 'model-unknown')) throw error;
    return choose(undefined);
  });
  const model = answering(first);
  // A model that cannot be had ends the chat, and then no session was started.
  if (!session && options.resume === undefined) screen.say('Started a new session.');
  const chat: Chat = {
    place,
    options,
    screen,
    input,
    session,
    agent,
    agentProblem,
    model,
    shownModel: undefined,
    knowledge,
    open: undefined,
    writer: await openWriter(options),
    warned: 0,
    load: undefined,
    showing: undefined,
    startedHead: session?.info.head ?? 0,
    spending: createSpendingCounter(),
    failed: undefined,
    shutdown: new AbortController(),
    stops: [],
    mirror,
    unsaved: new Set(),
    setUp: new Set(),
  };
  // The session that is resumed decides which model answers.
  if (options.resume !== undefined) await resumeAtStart(chat, options.resume);
  takeModel(chat, chat.model);
  if (chat.model.provider === 'offline' && options.model === undefined) screen.whisper(QUOTES);
  if (input.interactive) screen.whisper('"help" lists the commands, "exit" leaves. Everything is kept.');
  if (chat.agent) screen.say(`Agent: ${chat.agent.name}`);
  if (options.resume === undefined && screen.rich && input.interactive) await showStanding(chat);
  return chat;
}

/** For a person without a key; the first answer says how to change that. */
const QUOTES =
  'No model is connected, so answers are quotes from your sessions. A key or "--model" changes that.';

/** In a pipe a person cannot be asked, and a server keeps a session open for a few seconds behind a turn. */
const WAIT_MS = 5_000;

type Opening = Pick<Chat, 'place' | 'options' | 'screen' | 'input'>;

async function openFirst(opening: Opening): Promise<Session | undefined> {
  const { place, options, screen, input } = opening;
  const { new: fresh, continue: named, resume } = options;
  if (resume !== undefined) return undefined;
  if (fresh) return undefined;
  let from: SessionInfo | undefined;
  let mayWait = true;
  const onWait = (held: ThroughlineError) => {
    // For the newest session alone: in a project that a server is busy in, each of them would take its time.
    mayWait = false;
    screen.whisper(`Waiting for ${describeHolder(held)} to give the session back...`);
  };
  const open = (info: SessionInfo, waitMs = 0) => {
    from = info;
    return openIn(place.store, info, wayOf(options), { waitMs, onWait: mayWait ? onWait : undefined });
  };
  const onHeld = async (info: SessionInfo, held: ThroughlineError) => {
    const way = await chooseWay(opening, info, held);
    return way === 'another' ? undefined : openIn(place.store, info, way);
  };
  if (typeof named === 'string') {
    const list = readLastList(place.location, { own: true });
    const info = await findChatConversation(place.store, named, { ...(list && { list }) });
    const session = await open(info, input.interactive ? 0 : WAIT_MS).catch((error: unknown) => {
      if (!isThroughlineError(error, 'lease-held')) throw error;
      return onHeld(info, error);
    });
    if (session) await sayOpened(session, { screen, from, hint: '' });
    return session;
  }
  const { session, skipped } = await openLastSession(place, {
    open: (info) => open(info),
    onHeld: input.interactive ? onHeld : async () => undefined,
  });
  if (session) await sayOpened(session, { screen, from, hint: ' "--new" starts another.' });
  for (const line of describeSkipped(skipped, { hasOwn: session !== undefined })) screen.whisper(line);
  return session;
}

/** `from` is the session that was meant; the open session may be a fork of it. */
async function sayOpened({ info, mode, store }: Session, { screen, from, hint }: SayOptions): Promise<void> {
  if (mode === 'read') screen.say(`Looking at ${await describeChoice(store, info)}, read-only.`);
  else if (from && from.id !== info.id) screen.say(`Forked from ${from.id}. You are in ${info.id} now.`);
  else screen.say(`Continuing ${await describeChoice(store, info)}.${hint}`);
}

interface SayOptions {
  readonly screen: Screen;
  readonly from: SessionInfo | undefined;
  readonly hint: string;
}

/** A session that is named and not there is never replaced by another in silence. */
async function resumeAtStart(chat: Chat, reference: string): Promise<void> {
  const { screen, input } = chat;
  screen.say('📋 Loading session...');
  const found = await findParent(chat, reference);
  if (!isMissing(found)) {
    await resumeInto(chat, found);
    return;
  }
  if (input.interactive) {
    screen.warn(sayMissing(found, ', starting fresh'));
    if (await input.confirm('Continue? (y/n)')) return;
  }
  const message = sayMissing(found, '').replace(/\.?$/, '.');
  throw new ThroughlineError('session-not-found', message, { details: { session: reference } });
}
