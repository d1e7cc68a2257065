import { perform } from '../../operations/index.ts';
import { showStanding as readStanding } from '../../operations/session/index.ts';
import { countsOf, sayCost, sayCounts } from '../../run/index.ts';
import { sayNumber } from '../../text/index.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { cutText } from '../terminal/text-width.ts';
import { visibleLine, visibleText } from '../terminal/visible-text.ts';
import { wrapText } from '../terminal/wrap-text.ts';
import { type Chat, nameOf } from './chat.ts';
import { appOf } from './chat-app.ts';

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
  if (answer !== null) screen.whisper(clipped(nameOf(chat), answer, ANSWER_LINES));
  if (open.length > 0) screen.whisper('Open:');
  for (const text of open.slice(0, OPEN_POINTS))
    screen.whisper(`  - ${cutText(visibleLine(text), screenWidth() - 4)}`);
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
