import { cutText } from '../../context/index.ts';
import { countText } from '../../tokens/index.ts';
import type { RecentMessage } from './session-view.ts';

const HEADING = '# Recent Conversation';
/** The newest message may take this much of the room before it is cut. */
const SHARE = 0.6;

/**
 * The newest messages that fit, oldest first; how many are not shown is said. The question itself is not among them: it
 * is the user prompt.
 */
export function fitMessages(
  messages: readonly RecentMessage[],
  { maxTokens, question }: { maxTokens: number; question: string },
): string {
  const said = withoutQuestion(messages, question);
  if (said.length === 0) return '';
  const lines: string[] = [];
  let left = maxTokens - HEADING_TOKENS;
  let index = said.length - 1;
  for (; index >= 0 && left > 0; index--) {
    const { line, tokens, seq } = said[index]!;
    const whole = tokens + 1 <= left;
    // Only the newest is worth a piece of; older ones are in the log, and in the checkpoint once they are compacted.
    if (!whole && lines.length > 0) break;
    const most = Math.floor(left * SHARE);
    const text = whole
      ? line
      : cutText(line, { maxTokens: most, note: `[… the rest is entry ${seq} of the log …]` });
    if (text === undefined) break;
    lines.unshift(text);
    left -= whole ? tokens + 1 : countText(text) + 1;
  }
  if (lines.length === 0) return '';
  const hidden = index + 1;
  const note =
    hidden > 0 ? [`(${hidden} earlier ${hidden === 1 ? 'message is' : 'messages are'} not shown.)`] : [];
  return [HEADING, ...note, ...lines].join('\n\n');
}

const HEADING_TOKENS = countText(`${HEADING}\n\n(100000 earlier messages are not shown.)\n\n`) + 4;

/** A message that was just added and is now asked, with or without the number of its iteration before it. */
function withoutQuestion(messages: readonly RecentMessage[], question: string): readonly RecentMessage[] {
  const newest = messages.at(-1);
  const asked = question.toWellFormed().trimEnd();
  const isAsked = newest?.role === 'user' && (newest.text === asked || isIteration(newest.text, asked));
  return isAsked ? messages.slice(0, -1) : messages;
}

function isIteration(text: string, question: string): boolean {
  return (
    question !== '' && text.endsWith(question) && /^Iteration \d+: $/.test(text.slice(0, -question.length))
  );
}
