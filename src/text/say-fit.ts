import { sayCount, sayTokenCount } from './say-amount.ts';

interface Fitted {
  readonly steps: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

interface LeftOut {
  readonly what: string;
  readonly entries: number;
  readonly tokens: number;
  readonly reason: string;
}

/** The steps that made a context fit, and its gaps: a sentence each. */
export function sayFit({ steps, leftOut }: Fitted): string[] {
  const done = steps.map((step) => STEPS[step] ?? step);
  return [
    ...(done.length > 0 ? [`To fit: ${done.join(', ')}.`] : []),
    ...leftOut.filter(({ entries }) => entries > 0).map(sayLeftOut),
  ];
}

function sayLeftOut({ what, entries, tokens, reason }: LeftOut): string {
  const [one, many] = KINDS[what] ?? [`message with ${what}`, `messages with ${what}`];
  const size = tokens > 0 ? `, ${sayTokenCount(tokens)}` : '';
  return `Left out: ${sayCount(entries, one, many)}${size}: ${reason}.`;
}

const STEPS: Readonly<Record<string, string>> = {
  'bound-media': 'images and files are limited',
  'cut-unread-outputs': 'long tool outputs are cut',
  'stub-outputs': 'old tool outputs are references',
  'digest-turns': 'old turns are summarised for this request',
  'leave-out-turns': 'old turns are left out',
  'shorten-summaries': 'summaries are shortened',
  'merge-summaries': 'old summaries are merged',
  'cut-messages': 'long messages are cut',
};

/** What the kinds are where they are entries themselves; of all others, an entry has one or more. */
const KINDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  turns: ['message of old turns', 'messages of old turns'],
  answers: ['message of the newest turn', 'messages of the newest turn'],
  text: ['message in part', 'messages in part'],
  entries: ['entry', 'entries'],
  summaries: ['summary', 'summaries'],
  recalled: ['message that was recalled', 'messages that were recalled'],
};
