import type { Message } from '../../record/index.ts';
import { type SayOptions, sayMessage } from '../../text/index.ts';

const LONGEST_VALUE = 400;

const WORDING: SayOptions = {
  call: ({ name, input }) => `[${name} ${cutAtCodePoint(input)}]`,
  result: ({ name, output }) => `[${name} gave ${cutAtCodePoint(output)}]`,
  file: () => '[a file]',
};

/** The text of a message. Tools are named with the beginning of their input and output. */
export function workMessageText(message: Message): string {
  return sayMessage(message, WORDING).toWellFormed();
}

function cutAtCodePoint(text: string): string {
  const points = [...text.slice(0, LONGEST_VALUE * 2)];
  return points.length > LONGEST_VALUE ? `${points.slice(0, LONGEST_VALUE).join('')}…` : points.join('');
}
