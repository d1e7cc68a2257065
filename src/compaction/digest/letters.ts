import { kindOf, lowerOf } from './letter-kinds.ts';

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
