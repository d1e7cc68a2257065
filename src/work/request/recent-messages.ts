import type { Entry, Message } from '../../record/index.ts';
import { withoutNumber } from '../../text/index.ts';
import { countMessage } from '../../tokens/index.ts';
import { messageText } from './message-text.ts';

/**
 * A message as the line of text that a request shows, in the form that the fitter takes: an entry with the same id and
 * number. `undefined` for a message without text.
 */
export function toLine(entry: Entry): Entry | undefined {
  const { role } = entry.body as Message;
  const text = messageText(entry.body as Message).trimEnd();
  if (text === '') return undefined;
  const body: Message = {
    kind: 'message',
    // Tool calls and results are part of the line, so nothing is left to be paired.
    role: role === 'user' ? 'user' : 'assistant',
    parts: [{ type: 'text', text: `**${SPEAKERS[role]}**: ${text}` }],
  };
  return { ...entry, body, tokens: countMessage(body) };
}

const SPEAKERS = { user: 'User', assistant: 'Assistant', tool: 'Tool', system: 'System' } as const;

/** Leaves out a message that was just added and is now asked, with or without the number of its iteration before it. */
export function withoutQuestion(lines: readonly Entry[], question: string): readonly Entry[] {
  const newest = lines.at(-1);
  const asked = question.toWellFormed().trimEnd();
  return newest && isAsked(lineOf(newest), asked) ? lines.slice(0, -1) : lines;
}

function isAsked(line: string, question: string): boolean {
  const lead = `**${SPEAKERS.user}**: `;
  const said = line.slice(lead.length);
  return (
    line.startsWith(lead) && (said === question || (question !== '' && withoutNumber(said) === question))
  );
}

function lineOf({ body }: Entry): string {
  return String((body as Message).parts[0]?.text);
}
