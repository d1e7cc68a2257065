import { type Spending, sayCost } from '../../../agent/index.ts';
import { perform } from '../../../operations/index.ts';
import { forkSessionOperation } from '../../../operations/session/index.ts';
import { sayCount, sayNumber, sayTitle } from '../../../text/index.ts';
import { printError } from '../print-error.ts';
import { renderMeter } from '../render/render-meter.ts';
import { OutputClosed } from '../terminal/print.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { usageError } from '../usage-error.ts';
import { type Chat, isReading, READING, sessionOf } from './chat.ts';
import { appOf } from './chat-app.ts';
import { helpLines } from './chat-help.ts';
import { agentOf } from './choose-agent.ts';
import { compactHere, reviewHere } from './compact-here.ts';
import { closeSession } from './leave-chat.ts';
import { openIn } from './open-held.ts';
import type { CommandName } from './parse-line.ts';
import { compactInto, resumeReference } from './switch-session.ts';
import { retryChatTurn, takeTurn } from './take-turn.ts';

type Handler = (chat: Chat, args: readonly string[]) => Promise<void>;

/** What each command of the chat does. Those that the command line has too are the same there and here. */
const HANDLERS: Readonly<Record<Exclude<CommandName, 'exit'>, Handler>> = {
  help: (chat, [about]) => chat.screen.show(helpLines(about)),
  compact,
  resume: (chat, args) => (args.length === 0 ? offerSessions(chat) : resumeReference(chat, args.join(' '))),
  fork,
  cost,
  retry: retryChatTurn,
  steer,
  sessions: (chat, args) => onCommandLine(chat, ['sessions', ...args]),
  search: (chat, args) => onCommandLine(chat, ['search', ...args]),
  context,
  pin: (chat, args) => aboutThis(chat, 'pin', args),
  expand: (chat, args) => aboutThis(chat, 'expand', args),
  collapse: (chat, args) => aboutThis(chat, 'collapse', args),
  checkpoint: (chat, args) => aboutThis(chat, 'checkpoint', args),
  tag: (chat, args) => aboutThis(chat, 'tag', tagArgs(args)),
  title: (chat, args) => (args.length > 0 ? aboutThis(chat, 'title', args) : showTitle(chat)),
  export: (chat, args) => aboutThis(chat, 'export', exportArgs(args)),
};

/** Without an answer that is being written it is a message like any other. */
async function steer(chat: Chat, args: readonly string[]): Promise<void> {
  if (args.length === 0) throw usageError('Say what to hand in: /steer <text>, while an answer is written.');
  chat.screen.whisper('(no answer is being written, so this is sent as a message)');
  await takeTurn(chat, args.join(' '));
}

/** Commands after which the transcript says something else. */
const CHANGING: ReadonlySet<CommandName> = new Set(['compact', 'resume', 'fork', 'retry']);

/** Runs a command of the chat. An error is printed, and the chat goes on. */
export async function runCommand(
  chat: Chat,
  { name, args }: { name: Exclude<CommandName, 'exit'>; args: readonly string[] },
): Promise<void> {
  try {
    await HANDLERS[name](chat, args);
    await chat.session?.refresh();
    if (chat.session && CHANGING.has(name)) chat.mirror.note(chat.session);
  } catch (error) {
    if (error instanceof OutputClosed) throw error;
    const code = printError(error, { json: false, command: name });
    chat.failed ??= code;
  }
}

function compact(chat: Chat, args: readonly string[]): Promise<void> {
  if (isReading(chat)) throw usageError(READING);
  const [first, ...rest] = args;
  if (first === 'review') return reviewHere(chat, rest);
  return args.includes('--here') ? compactHere(chat, args) : compactInto(chat);
}

async function onCommandLine({ place }: Chat, argv: readonly string[]): Promise<void> {
  // Loaded here, because the command line itself loads the chat.
  const { createProgram } = await import('../create-program.ts');
  const words = [...argv, '--store', place.location];
  await (await createProgram(words)).parseAsync(words, { from: 'user' });
}

async function aboutThis(chat: Chat, command: string, args: readonly string[]): Promise<void> {
  // Read again: the command looks sessions up, and the id of one that was purged may be the start of another.
  const { id } = await sessionOf(chat).refresh();
  return onCommandLine(chat, [command, id, ...args]);
}

/** `tag urgent` adds, `tag -urgent` takes off; options go through as they are. */
function tagArgs(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    if (arg.startsWith('--') || args[index - 1]?.startsWith('--')) return [arg];
    return arg.startsWith('-') ? ['--remove', arg.slice(1)] : ['--add', arg];
  });
}

/** For people to read, unless they ask for something else; one word is where it goes. */
function exportArgs(args: readonly string[]): string[] {
  const [first, ...rest] = args;
  const options = first === undefined || first.startsWith('-') ? args : ['--out', first, ...rest];
  return options.includes('--format') ? [...options] : ['--format', 'markdown', ...options];
}

async function showTitle(chat: Chat): Promise<void> {
  const { titleInChain } = await import('../../../session/index.ts');
  // Another program may have given it one since.
  const title = await titleInChain(chat.place.store, await sessionOf(chat).refresh());
  await chat.screen.show([visibleLine(sayTitle(title))]);
}

async function offerSessions(chat: Chat): Promise<void> {
  await onCommandLine(chat, ['sessions']);
  chat.screen.whisper('"resume 1" goes on from the first of these.');
}

/** What the next question finds, with everything that this chat puts in front of it. */
async function context(chat: Chat): Promise<void> {
  const agent = await agentOf(chat);
  const next = await agent.context();
  await chat.screen.show(renderMeter(next.context, { messages: false }));
}

/** Goes on in a new session that shares this one, up to an entry if one is named. */
async function fork(chat: Chat, args: readonly string[]): Promise<void> {
  const session = sessionOf(chat);
  const at = args.find((arg) => /^\d+$/.test(arg));
  await using app = appOf(chat);
  const asked = { sessionId: session.id, at: at === undefined ? undefined : Number(at) };
  const { id, forkedAt } = await perform(forkSessionOperation, asked, app);
  const forked = await openIn(chat.place.store, await app.find(id), undefined);
  await closeSession(chat, session);
  chat.session = forked;
  await agentOf(chat);
  chat.startedHead = chat.session.info.head;
  chat.screen.say(`Forked from ${session.id} at entry ${forkedAt}. You are in ${id} now.`);
}

async function cost(chat: Chat): Promise<void> {
  const session = sessionOf(chat);
  const { answers, compactions, restoration, combined } = await chat.spending(session);
  const line = (name: string, sum: Spending['answers']) =>
    `  ${name.padEnd(12)} ${sayNumber(sum.tokens).padStart(10)} tokens used  ${sayCost(sum)}`;
  // The log has the tokens of a summary, and not by how many calls it was written.
  await chat.screen.show([
    `${line('answers', answers)}  (${sayCount(answers.calls, 'call')})`,
    `${line('compactions', compactions)}  (${sayCount(compactions.calls, 'summary', 'summaries')})`,
    `${line('restoration', restoration)}  (${sayCount(restoration.calls, 'call')})`,
    line('combined', combined),
  ]);
}
