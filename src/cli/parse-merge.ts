import { InvalidArgumentError } from 'commander';
import { CheckpointList, MergeRule } from '../record/index.ts';

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

export function isRule(word: string | undefined): word is MergeRule {
  return MergeRule.safeParse(word).success;
}
