/** A longer text is no typed name. */
const LONGEST_NAME = 64;
const HUMP = /[a-z][A-Z]/g;

/** The words that are hidden in the names of a text: `open`, `sqlite` and `store` in `openSqliteStore`. */
export function addNameParts(text: string, parts: Set<string>, most: number): void {
  HUMP.lastIndex = 0;
  for (let hump = HUMP.exec(text); hump && parts.size < most; hump = HUMP.exec(text)) {
    let start = hump.index;
    let end = hump.index + 2;
    while (start > 0 && isNameCode(text.charCodeAt(start - 1))) start--;
    while (end < text.length && isNameCode(text.charCodeAt(end))) end++;
    HUMP.lastIndex = end;
    if (end - start > LONGEST_NAME) continue;
    for (const part of nameParts(text.slice(start, end))) if (part.length > 1) parts.add(part);
  }
}

function nameParts(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');
}

/** Whether there is another word in it than the first. */
export function isName(text: string): boolean {
  return /[A-Za-z0-9][A-Z]/.test(text);
}

/** Where the word of a name ends that begins at this place; nothing if none does. */
export function namePartEnd(text: string, start: number): number | undefined {
  if (!isNameCode(text.charCodeAt(start)) || !partsAt(text, start)) return undefined;
  const most = Math.min(text.length, start + LONGEST_NAME);
  let end = start + 1;
  while (end < most && !partsAt(text, end)) end++;
  return end;
}

/** Whether a word of a name ends before this place, or the name itself. */
function partsAt(text: string, at: number): boolean {
  const [before, here, after] = [text.charCodeAt(at - 1), text.charCodeAt(at), text.charCodeAt(at + 1)];
  if (!isNameCode(before) || !isNameCode(here)) return true;
  return isCapital(here) && (!isCapital(before) || isSmall(after));
}

function isNameCode(code: number): boolean {
  return isSmall(code) || isCapital(code) || (code >= 48 && code <= 57);
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}
