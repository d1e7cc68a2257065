import type { EntryId } from '../../record/index.ts';
import { countText } from '../../tokens/index.ts';
import { contentWords } from './language/content-words.ts';

export type LineSection = 'standing' | 'decisions' | 'pending' | 'completed' | 'dropped' | 'facts';

/** How a line came about, which tells what it is worth and what can take it back. */
export type Act =
  | 'strict'
  | 'weak'
  | 'changed'
  | 'choice'
  | 'restated'
  | 'adopted'
  | 'promise'
  | 'open'
  | 'done'
  | 'told'
  | 'answer'
  | 'asked'
  | 'fact'
  | 'carried';

/** Something that a summary can say, word for word as it was said, and how much it is worth to a successor. */
export interface Line {
  readonly text: string;
  readonly from: readonly EntryId[];
  readonly by: 'user' | 'agent';
  readonly act: Act;
  section: LineSection;
  value: number;
  /** Where in the conversation it was said: what comes later wins. */
  readonly place: number;
  /** Which statement of its message it is. */
  readonly at?: number;
  readonly turn: number;
  readonly words: ReadonlySet<string>;
  readonly cost: number;
}

export function createLine(
  fields: Omit<Line, 'words' | 'cost' | 'value'> & { readonly value: number },
): Line {
  return { ...fields, words: contentWords(fields.text), cost: countText(fields.text) + 2 };
}
