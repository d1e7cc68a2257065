import { InvalidArgumentError } from 'commander';
import { ThroughlineError } from '../../errors.ts';
import type { MergeRecord } from '../../operations/branch/index.ts';
import { CheckpointList, MergeRule } from '../../record/index.ts';
import { renderConflict } from './render/render-difference.ts';
import type { Questions } from './terminal/open-questions.ts';
import { note } from './terminal/print.ts';

/** `1=ours,2=theirs`: which side holds in which conflict. The option may be given more than once. */
export function parseChoices(
  text: string,
  before: ReadonlyMap<number, MergeRule> = new Map(),
): Map<number, MergeRule> {
  const choices = new Map(before);
  for (const word of text.split(',')) {
    const [, number, rule] = /^\s*(\d{1,6})\s*=\s*(\w+)\s*$/.exec(word) ?? [];
    if (!number || !isRule(rule)) {
      throw new InvalidArgumentError(
        'It has to be the number of a conflict and a side: 1=ours, 1=theirs, 1=both or 1=newest.',
      );
    }
    choices.set(Number(number), rule);
  }
  return choices;
}

/** What to leave out: lines by number, or whole lists by name. */
export interface Unwanted {
  readonly numbers: readonly number[];
  readonly lists: readonly CheckpointList[];
}

/** `2,5` or `facts`. The option may be given more than once. */
export function parseUnwanted(text: string, before: Unwanted = { numbers: [], lists: [] }): Unwanted {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const numbers = words.filter((word) => /^\d{1,6}$/.test(word)).map(Number);
  const lists = words.flatMap((word) => CheckpointList.safeParse(word.toLowerCase()).data ?? []);
  if (words.length === 0 || numbers.length + lists.length < words.length) {
    throw new InvalidArgumentError(
      `It has to be numbers of lines, or lists: ${CheckpointList.options.join(', ')}.`,
    );
  }
  return { numbers: [...before.numbers, ...numbers], lists: [...before.lists, ...lists] };
}

function isRule(word: string | undefined): word is MergeRule {
  return MergeRule.safeParse(word).success;
}

/** The decisions of a person about a merge that was shown. */
interface Verdict {
  readonly choices: ReadonlyMap<number, MergeRule>;
  readonly leave: ReadonlySet<number>;
}

/** Goes through the open conflicts, then the lines, then asks once more. Anything but an answer writes nothing. */
export async function askAboutMerge(preview: MergeRecord): Promise<Verdict> {
  const { openQuestions } = await import('./terminal/open-questions.ts');
  using questions = openQuestions();
  const choices = new Map<number, MergeRule>();
  for (const conflict of preview.conflicts.filter(({ number }) => preview.open.includes(number))) {
    for (const line of renderConflict(conflict, preview)) note(line);
    choices.set(conflict.number, await askSide(questions, preview));
  }
  const leave =
    preview.brings.length > 0 ? await askLines(questions, preview.brings.length) : new Set<number>();
  const agreed = await questions.ask('Merge? [y/N] ');
  if (!/^y(es)?$/i.test(agreed ?? '')) throw nothingMerged();
  return { choices, leave };
}

const LETTERS: Readonly<Record<string, MergeRule>> = { o: 'ours', t: 'theirs', b: 'both', n: 'newest' };

async function askSide(questions: Questions, { ours, theirs }: MergeRecord): Promise<MergeRule> {
  for (;;) {
    const answer = await questions.ask(
      `Which holds? [o]urs (${ours.id}), [t]heirs (${theirs.id}), [b]oth, [n]ewest, [q]uit: `,
    );
    const word = answer?.toLowerCase();
    if (word === undefined || word === 'q' || word === 'quit') throw nothingMerged();
    const rule = LETTERS[word] ?? word;
    if (isRule(rule)) return rule;
  }
}

async function askLines(questions: Questions, count: number): Promise<Set<number>> {
  for (;;) {
    const answer = await questions.ask('Leave out any lines? [their numbers, or Enter for none] ');
    if (answer === undefined) throw nothingMerged();
    const words = answer.split(/[\s,]+/).filter((word) => word !== '');
    const numbers = words.map(Number);
    if (numbers.every((number) => Number.isInteger(number) && number >= 1 && number <= count))
      return new Set(numbers);
  }
}

function nothingMerged(): ThroughlineError {
  return new ThroughlineError('cancelled', 'Nothing was merged.');
}
