import {
  countsOf,
  foldSpending,
  NO_SPENDING,
  type Spending,
  sayCost,
  sayCounts,
} from '../../../agent/index.ts';
import type { AnsweringModel } from '../../../models/index.ts';
import { perform } from '../../../operations/index.ts';
import { showStandingOperation as readStanding } from '../../../operations/session/index.ts';
import type { Session } from '../../../session/index.ts';
import { sayNumber, sayShare, sayTokens } from '../../../text/index.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { cutToWidth, wrapText } from '../terminal/text-width.ts';
import { visibleLine, visibleText } from '../terminal/visible-text.ts';
import { type Chat, nameOfChat } from './chat.ts';
import { appOf } from './chat-app.ts';
import type { Screen } from './screen.ts';

const WIDTH = 10;

/** Adds up the cost of a session, reading only new entries. */
export function createSpendingCounter(): (session: Session) => Promise<Spending> {
  let seen: { id: string; seq: number; spending: Spending } | undefined;
  return async (session) => {
    const { id, parent, head } = await session.refresh();
    const start = parent?.relation === 'fork' ? parent.seq : 0;
    const from: NonNullable<typeof seen> = seen?.id === id ? seen : { id, seq: start, spending: NO_SPENDING };
    let { spending } = from;
    for await (const entry of session.entries({ after: from.seq, upTo: head }))
      spending = foldSpending(spending, entry);
    seen = { id, seq: head, spending };
    return spending;
  };
}

/** `anthropic:claude-sonnet-5 · ▰▰▱▱▱▱▱▱▱▱ 18 % of 200K · $0.0421`. */
export function statusLine(chat: Pick<Chat, 'model' | 'load'>, { combined }: Spending): string {
  return [chat.model.id, meterText(chat), sayCost(combined)].filter((piece) => piece !== '').join(' · ');
}

/** As in the meter of `context`: the share of the whole window. */
function meterText(chat: Pick<Chat, 'model' | 'load'>): string {
  if (!chat.load) return '';
  const { tokens, window } = chat.load;
  const full = Math.min(WIDTH, Math.ceil((tokens / window) * WIDTH));
  const bar = '▰'.repeat(full) + '▱'.repeat(WIDTH - full);
  return `${bar} ${sayShare(tokens, window)} of ${sayTokens(window)}`;
}

/** The model of the chat from now on; shown if another one was shown before. */
export function takeModel(chat: Pick<Chat, 'screen' | 'model' | 'shownModel'>, model: AnsweringModel): void {
  if (model.id !== chat.shownModel) sayModel(chat.screen, model);
  chat.shownModel = model.id;
  chat.model = model;
}

/** Says which model answers and why, and first why another one does not. */
function sayModel(screen: Screen, { id, opened, because, problem }: AnsweringModel): void {
  if (problem !== undefined) screen.warn(problem);
  const why = because === 'environment' ? `picked by ${opened.pickedBy}` : REASONS[because];
  screen.say(`Model: ${id} (${why})`);
}

const REASONS = {
  asked: 'named by --model',
  agent: "the agent's",
  session: 'remembered with the session',
  offline: 'no key was found',
} as const;

const QUESTION_LINES = 3;
const ANSWER_LINES = 8;
const OPEN_POINTS = 3;

/** Shows where a conversation stands when a chat goes on with it: the last exchange, open points, and the cost. */
export async function showStanding(chat: Chat): Promise<void> {
  const { session, screen } = chat;
  if (!session || session.info.totals.messages === 0) return;
  await using app = appOf(chat);
  const { question, answer, open } = await perform(readStanding, { sessionId: session.id }, app);
  if (question !== null) screen.whisper(clipped('You', question, QUESTION_LINES));
  if (answer !== null) screen.whisper(clipped(nameOfChat(chat), answer, ANSWER_LINES));
  if (open.length > 0) screen.whisper('Open:');
  for (const text of open.slice(0, OPEN_POINTS))
    screen.whisper(`  - ${cutToWidth(visibleLine(text), screenWidth() - 4)}`);
  const more = open.length - OPEN_POINTS;
  if (more > 0) screen.whisper(`  and ${sayNumber(more)} more ("checkpoint" lists what was summarised)`);
  const spending = await chat.spending(session);
  screen.whisper(`So far: ${sayCounts(countsOf(session.info, spending))}, ${sayCost(spending.combined)}.`);
}

function clipped(name: string, text: string, most: number): string {
  const lines = wrapText(visibleText(`${name}: ${text}`), screenWidth())
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.length <= most ? lines.join('\n') : `${lines.slice(0, most).join('\n')} …`;
}

const MARKS = [95, 90, 80] as const;

/** Warns once at each mark: an automatically compacted context fills up again and again. */
export function warnWhenFull(chat: Pick<Chat, 'load' | 'warned' | 'screen'>): void {
  const percent = percentFull(chat);
  if (percent === undefined) return;
  const mark = MARKS.find((each) => percent >= each) ?? 0;
  if (mark <= chat.warned) return;
  chat.warned = mark;
  const { window, reserve } = chat.load!;
  chat.screen.warn(
    `Context ${Math.floor(percent)} % full (${sayNumber(takenIn(chat.load!))} of ${sayNumber(window - reserve)} tokens; the rest of the window is for the answer). "compact" goes on in a new session from a summary, "compact --here" shortens this one.`,
  );
}

/** What is recalled takes only room that nothing else needs: it fills the context and makes it no fuller. */
function takenIn({ tokens, parts }: NonNullable<Chat['load']>): number {
  return tokens - (parts.find(({ part }) => part === 'recall')?.tokens ?? 0);
}

/** How much of the room for a request is taken: the window without the reserve for the answer. */
function percentFull({ load }: Pick<Chat, 'load'>): number | undefined {
  if (!load) return undefined;
  return (takenIn(load) / Math.max(1, load.window - load.reserve)) * 100;
}
