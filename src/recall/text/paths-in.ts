const MOST_PATHS = 64;
/** Beyond this a text is a file's content or a patch, and the paths in it are not what the call is about. */
const LONGEST_ARGUMENT = 1000;

const NAMED =
  /(?:[A-Za-z]:(?=[/\\]))?(?:[\w.@~-]*[/\\])*[\w@-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/\\])/;
const ROOTED = /(?:~|\.{0,2})(?:[/\\][\w.@+-]+)+/;
const PATH = new RegExp(`(?<![\\w./\\\\~:-])(?:${NAMED.source}|${ROOTED.source})`, 'g');
const PATCH_LINE = /^(?:\*\*\* (?:Add|Update|Delete) File: |(?:\+\+\+|---) [ab]\/)(.+)$/gm;
const URL = /\w+:\/\/\S+/g;

/** The paths that the arguments of a tool call name, as they stand there: alone, in a command, in the head of a patch. */
export function pathsIn(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) =>
      text.length > LONGEST_ARGUMENT
        ? Array.from(text.matchAll(PATCH_LINE), ([, path]) => path!)
        : Array.from(text.replace(URL, ' ').matchAll(PATH), ([path]) => path),
    )
    .slice(0, MOST_PATHS);
}

/** One spelling for a path, for writing it down and for asking. */
export function plainPath(path: string): string {
  return path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?<=.)\/+$/, '');
}
