import { isAsciiText } from './fold-text.ts';

/** Beyond this a text is a file's content or a patch, and the paths in it are not what the call is about. */
const LONGEST_ARGUMENT = 1000;

const LETTERS = '\\p{L}\\p{N}\\p{M}_';
const PLAIN = new RegExp(pathOf('\\w'), 'g');
/** The same in a text with letters of other scripts, which may stand right before a path, unless they are Latin. */
const BESIDE = new RegExp(`(?<!\\p{Script=Latin})${pathOf('\\w')}`, 'gu');
const ANY = new RegExp(pathOf(LETTERS), 'gu');
const ONLY_NAMED = new RegExp(`^${namedOf(LETTERS)}$`, 'u');

const QUOTED = /(?<![\w\\])(?:"([^"\n]{1,200})"|'([^'\n]{1,200})')/g;
/** In quotes whatever lies in a folder or has an ending may be a path, unless it is a sentence or a script. */
const LIKE_A_PATH = /^(?!-|\w+:\/\/)(?:.*[/\\].*|.*\.[A-Za-z0-9]{1,8})$/;
const UNLIKE_A_PATH = /[<>|;&=*?`]|\s\s|(?:\s\S+){4}/;
const PATCH_LINE = /^(?:\*\*\* (?:Add|Update|Delete) File: |(?:\+\+\+|---) [ab]\/)(.+)$/gm;
const FILE_URL = /\bfile:\/\/(?=\/)/gi;
const URL = /\w+:\/\/\S+/g;

/** The paths in an argument of a tool call, as they stand there: alone, in a command, in the head of a patch. */
export function pathsIn(text: string): string[] {
  if (text.length > LONGEST_ARGUMENT) return Array.from(text.matchAll(PATCH_LINE), ([, path]) => path!);
  const local = text.replace(FILE_URL, ' ').replace(URL, ' ');
  return [
    ...(isAsciiText(local) ? [PLAIN] : [BESIDE, ANY]).flatMap((pattern) => local.match(pattern) ?? []),
    ...Array.from(local.matchAll(QUOTED), ([, double, single]) => (double ?? single)!).filter(isQuotedPath),
  ];
}

/** Several paths in a row, with nothing around them; a name with spaces is none. */
export function isListOfPaths(text: string): boolean {
  const words = text.split(/[\s,;]+/);
  return words.length > 1 && words.every((word) => ONLY_NAMED.test(word));
}

/** One spelling for a path, for writing it down and for asking. */
export function plainPath(path: string): string {
  return withoutScheme(path.trim())
    .replaceAll('\\ ', ' ')
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?<=.)\/+$/, '')
    .normalize('NFC');
}

function pathOf(letters: string): string {
  const rooted = `(?:~|\\.{0,2})(?:[/\\\\][${letters}.@+\\-]+)+`;
  return `(?<![${letters}./\\\\~:\\-])(?:${namedOf(letters)}|${rooted})`;
}

/** A name with an ending, and the folders before it. */
function namedOf(letters: string): string {
  return `(?:[A-Za-z]:(?=[/\\\\]))?(?:[${letters}.@~\\-]*[/\\\\])*[${letters}@\\-][${letters}.@+\\-]*\\.(?:[A-Za-z][A-Za-z0-9]{0,7}|7z)(?![\\w/\\\\])`;
}

/** A path without anything unusual in it is found without its quotes. */
function isQuotedPath(text: string): boolean {
  return !/^[\w./\\@+~:-]*$/.test(text) && LIKE_A_PATH.test(text) && !UNLIKE_A_PATH.test(text);
}

function withoutScheme(path: string): string {
  if (!/^file:\/\/\//i.test(path)) return path;
  const bare = path.slice('file://'.length).replace(/^\/(?=[A-Za-z]:)/, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}
