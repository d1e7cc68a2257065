import type { OpenAgent, SendOptions, TurnEvent, TurnInput, TurnResult } from '../../../agent/index.ts';
import { isThroughlineError } from '../../../errors.ts';
import { perform } from '../../../operations/index.ts';
import { setUpSession, startSession } from '../../../operations/session/index.ts';
import { openSession, type Session } from '../../../session/index.ts';
import { EXIT_CODES, UNEXPECTED } from '../exit-codes.ts';
import { sayError } from '../print-error.ts';
import { OutputClosed } from '../terminal/print.ts';
import { askAboutTool } from './ask-about-tool.ts';
import { type Chat, isReading, nameOfChat, READING, stoppableChat } from './chat.ts';
import { appOf } from './chat-app.ts';
import { agentOf } from './choose-agent.ts';
import { CHAT_OWNER } from './choose-session.ts';
import { parseLine } from './parse-line.ts';
import { createTurnView, type TurnView } from './show-turn.ts';
import { warnWhenFull } from './status-line.ts';

/**
 * Sends a message to the agent and shows the answer. A failure is shown and ends only the turn. Messages sent during a turn
 * are queued in the log and answered in their order.
 */
export async function takeTurn(chat: Chat, input: TurnInput): Promise<void> {
  if (isReading(chat)) return refuse(chat);
  let agent: OpenAgent;
  try {
    await ensureSession(chat);
    agent = await agentOf(chat);
  } catch (error) {
    // Without a session there is nowhere to keep the message, and its author has to know.
    return tellFailure(chat, error, NOT_KEPT);
  }
  await run(chat, agent, (how) => agent.send(input, how));
}

function refuse(chat: Chat): void {
  chat.failed ??= EXIT_CODES.usage;
  chat.screen.warn(`${READING} Your message was not kept.`);
}

/** Asks the interrupted or failed turn again. */
export async function retryChatTurn(chat: Chat): Promise<void> {
  if (!chat.session || chat.session.info.totals.queries === 0) return chat.screen.say(NOTHING_ASKED);
  if (isReading(chat)) return chat.screen.warn(READING);
  const agent = await agentOf(chat);
  const { failed } = chat;
  chat.failed = undefined;
  await run(chat, agent, (how) => agent.continue({ ...how, alone: true }));
  // A mended error does not count as failed.
  if (chat.failed !== undefined) chat.failed = failed ?? chat.failed;
}

const NOTHING_ASKED = 'Nothing was asked yet.';

type Ask = (how: SendOptions) => Promise<TurnResult>;

async function run(chat: Chat, agent: OpenAgent, turn: Ask): Promise<void> {
  const { input } = chat;
  const running: Promise<void>[] = [];
  const views: TurnView[] = [];
  let current = 0;
  const start = (ask: Ask, { ahead = false } = {}) => {
    const view = createTurnView(chat.screen, nameOfChat(chat), {
      onLoad(load) {
        chat.load = load;
      },
      onLate: (line) => tellLate(chat, line),
    });
    views.push(view);
    const see = (event: TurnEvent) => {
      // In the answer that is being written then.
      if (ahead && event.type === 'input-stored' && event.waiting)
        views[current]?.aside('(kept; it comes next)');
      view.see(event);
    };
    running.push(runOne(chat, ask, { view, see }));
  };
  input.onAhead({
    line(line) {
      const said = parseLine(line);
      const queue = (text: string) => start((how) => agent.send(text, how), { ahead: true });
      if (said.kind === 'command' && said.name === 'steer' && said.args.length > 0) {
        const text = said.args.join(' ');
        const handedIn = () => views[current]?.aside('(handed in; the model has it with its next request)');
        agent.steer(text).then(handedIn, () => queue(text));
        return true;
      }
      if (said.kind !== 'message') return said.kind === 'blank';
      queue(said.text);
      return true;
    },
    typing(isTyping) {
      if (isTyping) views[current]?.hold();
      else chat.screen.release();
    },
  });
  try {
    start(turn);
    // Grows while it is being read.
    for (const one of running) {
      chat.showing = views[current];
      await one;
      current++;
    }
  } finally {
    chat.showing = undefined;
    input.onAhead(undefined);
  }
  warnWhenFull(chat);
}

/** In the answer that is being written, or above the prompt. */
function tellLate({ input, screen, showing }: Chat, line: string): void {
  input.above(() => (showing ? showing.aside(line) : screen.whisper(line)));
}

async function runOne(
  chat: Chat,
  turn: Ask,
  { view, see }: { view: TurnView; see: TurnView['see'] },
): Promise<void> {
  const { screen } = chat;
  let kept = false;
  let asked = false;
  const unsaved = () => chat.session?.unsaved.length ?? 0;
  const before = unsaved();
  try {
    const { status, error, text } = await stoppableChat(chat, (signal) =>
      turn({
        ...approving(chat, view),
        signal,
        shutdown: chat.shutdown.signal,
        onEvent(event) {
          if (event.type === 'input-stored') kept = true;
          if (event.type === 'request-start') asked = true;
          see(event);
        },
      }),
    );
    await view.end();
    if (error) screen.warn(`${error.message.replace(/\.$/, '')}; "retry" asks again.`);
    else if (status === 'interrupted')
      screen.whisper(
        chat.shutdown.signal.aborted
          ? '(stopped; "retry" goes on with it in the next chat)'
          : '(stopped; what was there is kept, and "retry" asks again)',
      );
    if (status === 'complete' && !asked)
      screen.say('The last answer is whole; there is nothing to ask again.');
    if (status === 'complete' && asked && text.trim() === '')
      screen.warn('The answer was empty. Say it again, or in other words.');
    if (status === 'step-limit') screen.warn('The agent wants to go on; "retry" lets it.');
  } catch (error) {
    await view.end().catch(() => {});
    // A message that waits stays in the queue, and the next chat answers it.
    if (chat.shutdown.signal.aborted && isThroughlineError(error, 'cancelled')) return;
    tellFailure(chat, error, kept ? KEPT : unsaved() > before ? '' : NOT_KEPT);
  }
  if (chat.session) chat.mirror.note(chat.session);
}

function approving({ input }: Chat, view: TurnView): Pick<SendOptions, 'approve'> {
  if (!input.interactive) return {};
  return {
    approve: (request) => view.pausing(() => askAboutTool(input, request)),
  };
}

const KEPT = 'Your message is kept; "retry" asks again.';
const NOT_KEPT = 'Your message was not kept.';

function tellFailure(chat: Chat, error: unknown, kept: string): void {
  if (error instanceof OutputClosed) throw error;
  const known = isThroughlineError(error) ? error : undefined;
  chat.failed ??= (known && EXIT_CODES[known.code]) ?? UNEXPECTED;
  const message = known ? sayError(known) : `Something unexpected went wrong: ${(error as Error).message}.`;
  // The error says whether the message is stored, waits in memory, or is to be sent again.
  const told = known?.code === 'not-saved' ? '' : kept;
  chat.screen.warn(`${message} ${told}`.trimEnd());
}

/**
 * The session to write in, made with the first message. Agent and preset of the command line are the session's from then on; for
 * the model see `openAgent`.
 */
async function ensureSession(chat: Chat): Promise<Session> {
  const { place, agent: loaded, options, setUp } = chat;
  const { model, preset, presetAsked = false } = options;
  const agent = loaded && { name: loaded.name, path: loaded.path };
  await using app = appOf(chat);
  if (!chat.session) {
    const asked = { folder: place.folder, agent, model, compaction: preset };
    const { id } = await perform(startSession, asked, app);
    chat.session = await openSession(place.store, id, { owner: CHAT_OWNER });
  } else if (!setUp.has(chat.session.id)) {
    const asked = { sessionId: chat.session.id, agent, compaction: preset, standing: !presetAsked };
    await perform(setUpSession, asked, app);
  }
  setUp.add(chat.session.id);
  return chat.session;
}
