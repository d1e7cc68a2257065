import { InvalidArgumentError, Option } from 'commander';
import { POLICY_NAMES } from '../../operations/config/index.ts';
import {
  type EntryId,
  MAX_SEQ,
  type Seq,
  type SeqRange,
  type Target,
  toEntryId,
} from '../../record/index.ts';

/** A whole number from 1 on. */
export function parseCount(text: string): number {
  return wholeNumber(text, 1);
}

/** A whole number from 0 on. */
export function parseAmount(text: string): number {
  return wholeNumber(text, 0);
}

function wholeNumber(text: string, least: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError(`It has to be a whole number from ${least} on.`);
}

/** For models whose server has another window than the catalogue knows. */
export function windowOption(): Option {
  return new Option('--window <tokens>', "the model's window, if it is another than the catalogue says")
    .argParser(parseCount)
    .env('THROUGHLINE_WINDOW');
}

/** The setting `recall`. */
export function recallOption(): Option {
  return new Option(
    '--recall <tokens>',
    'room for what compacted turns and the session before say about the newest question; 0 for none (default: 2,000)',
  )
    .argParser(parseAmount)
    .env('THROUGHLINE_RECALL');
}

/** The setting `preset`. */
export function presetOption(about: string): Option {
  return new Option('--preset <name>', about).choices(POLICY_NAMES).env('THROUGHLINE_PRESET');
}

/** The setting `summary-model`. */
export function summaryModelOption(): Option {
  return new Option(
    '--summary-model <provider:model>',
    'who writes summaries, a cheaper model for instance; "digest" for none (default: the model that answers)',
  ).env('THROUGHLINE_SUMMARY_MODEL');
}

/** The setting `summary-spend`. */
export function summarySpendOption(): Option {
  return new Option(
    '--summary-spend <tokens>',
    'tokens that summaries may use in an hour; then the digest writes them',
  )
    .argParser(parseCount)
    .env('THROUGHLINE_SUMMARY_SPEND');
}

/** The setting `ask-first`. */
export function askFirstOption(): Option {
  return new Option(
    '--ask-first [on|off]',
    'write a draft instead of compacting by itself; "compact --review" shows and approves it',
  )
    .choices(['on', 'off'])
    .preset('on')
    .env('THROUGHLINE_ASK_FIRST');
}

/** The setting `timeout`, for commands that ask a model. */
export function timeoutOption(seconds = 300): Option {
  return new Option(
    '--timeout <seconds>',
    `how long to wait while nothing comes from the model (default: ${seconds})`,
  )
    .argParser(parseCount)
    .env('THROUGHLINE_TIMEOUT');
}

/** Where in a log: the number of an entry, or its id. */
export function parsePosition(text: string): Seq | EntryId {
  if (/^\d+$/.test(text) && Number(text) <= MAX_SEQ) return Number(text);
  const id = toEntryId(text);
  if (id !== undefined) return id;
  throw new InvalidArgumentError('It has to be the number of an entry, or its id.');
}

/** Words between commas; the option may be given more than once. */
export function parseWords(text: string, before: readonly string[] = []): string[] {
  const words = text.split(',').map((word) => word.trim());
  return [...new Set([...before, ...words.filter((word) => word !== '')])];
}

/** Entries by number: `12`, or `12-40`. */
export function parseRange(text: string): SeqRange {
  const range = readRange(text);
  if (range) return range;
  throw new InvalidArgumentError('It has to be two numbers of entries, the older one first: 12-40.');
}

function readRange(text: string): SeqRange | undefined {
  const [from, to = from] = text.split(/[-–]/).map(Number);
  const whole = (seq: number | undefined): seq is number =>
    Number.isSafeInteger(seq) && seq! >= 1 && seq! <= MAX_SEQ;
  if (/^\d+(?:[-–]\d+)?$/.test(text) && whole(from) && whole(to) && from <= to) return { from, to };
  return undefined;
}

/** What a mark points at: an entry by id, or entries by number. */
export function parseTarget(text: string): Target {
  const id = toEntryId(text);
  const target = id !== undefined ? { entry: id } : readRange(text);
  if (target) return target;
  throw new InvalidArgumentError(
    'It has to be the number of an entry, from 1 on, a range with the older one first (12-15), or an id.',
  );
}
