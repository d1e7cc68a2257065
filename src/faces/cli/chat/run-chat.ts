import { openKnowledge, readInput, type TurnInput, type TurnRecord } from '../../../agent/index.ts';
import { rescueUnsaved } from '../../../operations/index.ts';
import { firstLine } from '../../../record/index.ts';
import { openStore, type Store } from '../../../store/index.ts';
import { sayCount } from '../../../text/index.ts';
import { chooseStore } from '../choose-store.ts';
import { OK } from '../exit-codes.ts';
import { warnExposed } from '../warn-exposed.ts';
import { type Chat, type ChatInput, type ChatOptions, type ChatPlace, isReading } from './chat.ts';
import { agentOf } from './choose-agent.ts';
import { closeSession, leaveSession } from './leave-chat.ts';
import { listenForEnd } from './listen-for-end.ts';
import { keepMirror } from './load-transcript.ts';
import { openChat } from './open-chat.ts';
import { parseLine } from './parse-line.ts';
import { runCommand } from './run-command.ts';
import { createScreen } from './screen.ts';
import { statusLine } from './status-line.ts';
import { retryChatTurn, takeTurn } from './take-turn.ts';

/** Talks until the person leaves. Gives the exit code. */
export async function runChat(named: string | undefined, options: ChatOptions): Promise<number> {
  await using place = await findPlace(named);
  using input = await openInput(place);
  const screen = createScreen();
  await using mirror = keepMirror(screen);
  await using knowledge = openKnowledge(place.store);
  const chat = await openChat({ place, options, screen, input, mirror, knowledge });
  using ending = listenForEnd(chat);
  const showStatus = createStatus(chat);
  try {
    await finishWaiting(chat);
    while (!ending.leaving) {
      await showStatus();
      const line = await input.next('You: ');
      ending.stay();
      if (line === undefined || !(await takeLine(chat, line))) break;
    }
    if (ending.signal === undefined) await leaveSession(chat, { goodbye: 'Goodbye!' });
    else await leaveAtOnce(chat);
  } catch (error) {
    if (chat.session) await closeSession(chat, chat.session).catch(() => {});
    throw (await rescueUnsaved(chat.unsaved, place.store.facts)) ?? error;
  }
  const rescued = await rescueUnsaved(chat.unsaved, place.store.facts);
  if (rescued) throw rescued;
  return ending.exitCode ?? chat.failed ?? OK;
}

async function openInput(place: ChatPlace): Promise<ChatInput> {
  if (process.stdin.isTTY) {
    const { openLineEditor } = await import('./line-editor.ts');
    return openLineEditor({ history: await recentQuestions(place) });
  }
  const { readPipe } = await import('./read-pipe.ts');
  return readPipe();
}

/** False for a line that ends the chat. */
async function takeLine(chat: Chat, line: string): Promise<boolean> {
  const parsed = parseLine(line);
  switch (parsed.kind) {
    case 'blank':
      return true;
    case 'unknown':
      chat.screen.warn(`There is no command ${parsed.name}; "help" lists them.`);
      return true;
    case 'command': {
      const { name, args } = parsed;
      if (name === 'exit') return false;
      await runCommand(chat, { name, args });
      return true;
    }
    case 'message': {
      const { text, like } = parsed;
      if (like) chat.screen.whisper(`(sent as a message; the command is /${like})`);
      await takeTurn(chat, text);
      return true;
    }
  }
}

/** Shows the status after each answer, and after a command that changed it. */
function createStatus(chat: Chat): () => Promise<void> {
  const { screen, input } = chat;
  let shown: { readonly load: Chat['load']; readonly status: string } | undefined;
  return async () => {
    const { session, load } = chat;
    if (!screen.rich || !input.interactive || !session || !load) return;
    const status = statusLine(chat, await chat.spending(session));
    if (load !== shown?.load || status !== shown.status) screen.whisper(status);
    shown = { load, status };
  };
}

/** Says what an earlier process left open, and runs the messages that it accepted. */
async function finishWaiting(chat: Chat): Promise<void> {
  if (!chat.session || isReading(chat)) return;
  const { left } = await agentOf(chat);
  const { turn, waiting } = left;
  const isLeft = turn?.status === 'interrupted' && turn.cutBy !== 'person';
  const goesOn = isLeft && waiting.length > 0;
  const next = goesOn ? 'it is asked again now' : '"retry" asks again';
  if (turn) chat.screen.warn(`Your last message has no whole answer yet${whyCut(turn)}; ${next}.`);
  if (waiting.length > 0)
    chat.screen.whisper(
      `${sayCount(waiting.length, 'message')} of yours waited ${goesOn ? 'behind it' : 'for an answer'}, and ${waiting.length === 1 ? 'is' : 'are'} answered now.`,
    );
  // Messages wait behind the turn that the end of the process cut: without it they would be answered out of order.
  if (goesOn) {
    chat.screen.whisper(`You: ${turn.question}`);
    await retryChatTurn(chat);
  }
  for (const input of waiting) {
    if (chat.shutdown.signal.aborted) return;
    chat.screen.whisper(`You: ${sayInput(input)}`);
    await takeTurn(chat, input);
  }
}

/** How a message begins, so that its answer is distinguished from the next. */
function sayInput(input: TurnInput): string {
  const { body } = readInput(input);
  return firstLine(body);
}

function whyCut({ status, cutBy, error }: TurnRecord): string {
  const why = error?.message.replace(/\.$/, '');
  if (status === 'failed') return why === undefined ? ' (it failed)' : ` (it failed: ${why})`;
  if (why !== undefined) return ` (${why})`;
  if (status === 'step-limit') return ' (the agent wants to go on)';
  if (cutBy === 'person') return ' (it was stopped)';
  return cutBy === null ? '' : ' (the program ended before it)';
}

/** The process was ended or the terminal closed: there is no time for a summary, and none is needed. */
async function leaveAtOnce(chat: Chat): Promise<void> {
  if (!chat.session) return;
  chat.mirror.note(chat.session);
  await chat.mirror.settled();
  await closeSession(chat, chat.session);
}

/** Opens the store, making it if need be, and finds the project that the folder belongs to. */
async function findPlace(named: string | undefined): Promise<ChatPlace & AsyncDisposable> {
  const { location } = chooseStore(named);
  const store: Store = await openStore(location);
  warnExposed(store);
  try {
    const folder = process.cwd();
    const { placeFolder } = await import('../../../project/index.ts');
    const { project } = await placeFolder(store, folder);
    const close = () => store[Symbol.asyncDispose]();
    return { store, location, folder, project, [Symbol.asyncDispose]: close };
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

const SESSIONS = 3;
const MOST = 200;

/** Questions of the newest sessions of the project, newest first: the history of the line editor is the log. */
async function recentQuestions({ store, project }: ChatPlace): Promise<string[]> {
  const { sessions } = await store.list({ project: project.id, limit: SESSIONS });
  const questions: string[] = [];
  for (const { id, head } of sessions) {
    const entries = await store.read(id, { only: 'messages', after: Math.max(0, head - MOST * 4) });
    for (const { body } of entries.toReversed()) {
      if (body.kind !== 'message' || body.role !== 'user') continue;
      const [part] = body.parts;
      if (typeof part?.text === 'string' && !questions.includes(part.text)) questions.push(part.text);
    }
  }
  return questions.slice(0, MOST);
}
