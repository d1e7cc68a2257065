import type { EntryId } from '../../record/index.ts';
import { countText } from '../../tokens/index.ts';
import { todoKey } from '../ledger/todo-book.ts';
import { contentWords } from './content-words.ts';
import { kindOf, lowerOf } from './letter-kinds.ts';
import { joined } from './statements.ts';

export type LineSection =
  | 'standing'
  | 'decisions'
  | 'pending'
  | 'blockers'
  | 'completed'
  | 'dropped'
  | 'facts';

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
  /** The items of one list that share this line. */
  readonly items?: readonly string[];
  readonly lead?: string;
  /** A fact from the person that the agent only took note of. */
  readonly noted?: boolean;
  readonly turn: number;
  /** The same for lines that differ in punctuation or case alone. */
  readonly key: string;
  readonly words: ReadonlySet<string>;
  readonly cost: number;
}

/** The line without some of its items; `undefined` if none is left. */
export function withoutItems(line: Line, isGone: (item: string) => boolean): Line | undefined {
  const { items = [line.text], lead } = line;
  const left = items.filter((item) => !isGone(item));
  if (left.length === items.length) return line;
  if (left.length === 0) return undefined;
  const text = left.reduce((one, text) => joined(one, { text }));
  return createLine({ ...line, items: left, text: lead ? `${lead}: ${text}` : text });
}

export function createLine(
  fields: Omit<Line, 'key' | 'words' | 'cost' | 'value'> & { readonly value: number },
): Line {
  const { text } = fields;
  return { ...fields, key: todoKey(text), words: contentWords(text), cost: countText(text) + 2 };
}

const APOSTROPHE = 39;
const CURLY_APOSTROPHE = 0x2019;

/**
 * A text as two rows of numbers, small letters and what kind each is. Every letter is looked at several times, and
 * reading it from a string each time would cost several times as much.
 */
export class Letters {
  small = new Uint16Array(4096);
  kinds = new Uint8Array(4096);
  length = 0;

  load(text: string): this {
    if (text.length > this.small.length) {
      this.small = new Uint16Array(text.length * 2);
      this.kinds = new Uint8Array(text.length * 2);
    }
    const { small, kinds } = this;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      kinds[index] = kindOf(code);
      small[index] = code === CURLY_APOSTROPHE ? APOSTROPHE : lowerOf(code);
    }
    this.length = text.length;
    return this;
  }
}
