import { MOST_NESTING } from './limits.ts';

/** Whether JSON text is nested deeper than that. Text inside strings does not count. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > MOST_NESTING) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** Where the string that begins at `start` ends; -1 if it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}
