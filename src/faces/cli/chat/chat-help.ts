import { screenWidth } from '../terminal/screen-width.ts';
import { wrapText } from '../terminal/text-width.ts';
import { COMMAND_NAMES, type CommandName } from './parse-line.ts';

const ABOUT: Readonly<Record<CommandName, readonly [usage: string, meaning: string]>> = {
  compact: [
    'compact [--here | review]',
    'close with a summary and go on in a new session; --here shortens this one, review lets you edit the summary first',
  ],
  resume: ['resume [session]', 'a new session from the summary of an older one: a number, an id, a .md file'],
  sessions: ['sessions', 'list the sessions; their numbers can be used after it'],
  context: ['context', 'what the model sees, and how full its window is'],
  search: ['search <word>', 'find what was said, in all sessions; /search takes many words'],
  pin: [
    'pin [last | 12 | 12-15]',
    'keep entries word for word, whatever is compacted; without one, list the pins',
  ],
  fork: ['fork [entry]', 'go on in a new session that shares this one'],
  expand: ['expand [number]', 'put back what a compaction covers; without one, list them'],
  collapse: ['collapse [number]', 'hide it behind its summary again'],
  checkpoint: ['checkpoint', 'the state of the work: done, open, decided, blocked'],
  tag: ['tag <word>', 'tag this session; -word takes it off'],
  title: ['title [name]', 'call this session something; several words in quotes, or after /title'],
  export: [
    'export [path]',
    'this session as a transcript, printed or written; --chain with all that led to it',
  ],
  cost: ['cost', 'what was used and paid, line by line'],
  retry: ['retry', 'ask again for an answer that was stopped or failed'],
  steer: ['/steer <text>', 'while an answer is written: hand this in to it, instead of asking it next'],
  help: ['help [command]', 'this'],
  exit: ['exit', 'leave; the session is saved with a summary'],
};

/** Columns that a meaning needs beside its command. */
const LEAST_BESIDE = 30;

export function helpLines(about?: string): string[] {
  const name = COMMAND_NAMES.find((each) => each === about?.replace(/^\//, ''));
  const names = name ? [name] : COMMAND_NAMES;
  const width = Math.max(...names.map((each) => ABOUT[each][0].length));
  const beside = screenWidth() - width - 4;
  const lines = names.flatMap((each) => {
    const [usage, meaning] = ABOUT[each];
    // On a narrow screen the meaning stands below.
    if (beside < LEAST_BESIDE) return [`  ${usage}`, ...indented(meaning, 4)];
    const [first = '', ...more] = wrapText(meaning, beside).split('\n');
    return [`  ${usage.padEnd(width)}  ${first}`, ...more.map((line) => `${' '.repeat(width + 4)}${line}`)];
  });
  if (name) return lines;
  return [
    wrapText(
      'Everything you write goes to the agent, except these words, with or without a slash:',
      screenWidth(),
    ),
    '',
    ...lines,
    '',
    wrapText(
      'A word that is part of a sentence is a message. A line that ends with \\ goes on in the next one, and so does Alt-Enter; what you paste is one message. Ctrl-C stops the answer, a second one leaves.',
      Math.min(screenWidth(), 100),
    ),
  ];
}

function indented(text: string, by: number): string[] {
  return wrapText(text, screenWidth() - by)
    .split('\n')
    .map((line) => `${' '.repeat(by)}${line}`);
}
