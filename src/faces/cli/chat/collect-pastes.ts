import { Transform } from 'node:stream';
import { sayCount } from '../../../text/index.ts';

// A terminal that is asked to marks where a paste begins and ends. A paste stays together, whatever line breaks are in it:
// the line shows a short word for it, and the message that is sent has the text. An earlier message of several lines comes
// back as one line too, with a sign for each line break, or as a word for it if it is long.

export const PASTE_ON = '\x1b[?2004h';
export const PASTE_OFF = '\x1b[?2004l';
const START = '\x1b[200~';
const END = '\x1b[201~';
const LONGEST_INLINE = 500;
const LONGEST_RECALLED = 1_000;
const LONGEST_START = 30;
/** A line break, as it is shown in a line. */
const BREAK = '⏎';

interface PasteCollector {
  /** Keys as the editor is to see them. */
  readonly keys: Transform;
  /** The line with every paste, line break and earlier message in its place. */
  restore(line: string): string;
  /** A message as a line of the history: what `restore` makes the message of. */
  recall(message: string): string;
}

export function collectPastes(): PasteCollector {
  const texts = new Map<string, string>();
  let pasted = 0;
  let recalled = 0;
  let pasting: string | undefined;
  let held = '';

  /** The word in the line that stands for a paste. */
  function nameOf(text: string): string {
    // What holds no control character and fits a line can be edited like anything else.
    if (text.length <= LONGEST_INLINE && isPlain(text)) return text;
    return keep(`[Pasted #${++pasted}: ${sizeOf(text)}]`, text);
  }

  function keep(name: string, text: string): string {
    texts.set(name, text);
    return name;
  }

  function take(text: string): string {
    let out = '';
    for (let rest = text; rest !== ''; ) {
      const mark = pasting === undefined ? START : END;
      const at = rest.indexOf(mark);
      // A mark may come in two pieces. Outside a paste a lone Escape is a key, and the keys after it are not waited for.
      held = at < 0 ? startOfMark(rest, mark, pasting === undefined ? 2 : 1) : '';
      const before = at < 0 ? rest.slice(0, rest.length - held.length) : rest.slice(0, at);
      rest = at < 0 ? '' : rest.slice(at + mark.length);
      if (pasting === undefined) {
        // Escape and Enter together go on in the next line, as a backslash does.
        out += before.replaceAll('\x1b\r', '\\\r').replaceAll('\x1b\n', '\\\r');
        if (at >= 0) pasting = '';
      } else {
        pasting += before;
        if (at < 0) continue;
        out += nameOf(pasting.replace(/\r\n?/g, '\n').replace(/\n$/, ''));
        pasting = undefined;
      }
    }
    return out;
  }

  const decoder = new TextDecoder();
  const keys = new Transform({
    transform(chunk: Buffer, _, done) {
      const text = held + decoder.decode(chunk, { stream: true });
      held = '';
      done(null, take(text));
    },
  });
  const restore = (line: string) =>
    line
      .replaceAll(BREAK, '\n')
      .replaceAll(/\[(?:Pasted|Message) #\d+: [^\]]+\]/g, (name) => texts.get(name) ?? name);

  return {
    keys,
    restore,
    recall(message) {
      const line = message.replaceAll('\n', BREAK);
      if (line.length <= LONGEST_RECALLED && !UNSAFE.test(line) && restore(line) === message) return line;
      const start = [...message.replaceAll(/[^\p{L}\p{N}\p{P}]+|\]/gu, ' ').trim()].slice(0, LONGEST_START);
      return keep(`[Message #${++recalled}: ${sizeOf(message)}, ${start.join('')}…]`, message);
    },
  };
}

/** What a terminal would act on, or turn the line around for. */
const UNSAFE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** Whether it can stand in a line as it is. */
function isPlain(text: string): boolean {
  return !UNSAFE.test(text) && !text.includes(BREAK);
}

function sizeOf(text: string): string {
  const lines = text.split('\n').length;
  return lines > 1 ? sayCount(lines, 'line') : sayCount(text.length, 'character');
}

/** The end of the text, if a mark may begin there. */
function startOfMark(text: string, mark: string, least: number): string {
  for (let length = mark.length - 1; length >= least; length--) {
    if (text.endsWith(mark.slice(0, length))) return text.slice(-length);
  }
  return '';
}
