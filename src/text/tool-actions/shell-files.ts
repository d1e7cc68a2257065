import type { FileAction, FileOperation } from './tool-actions.ts';

const READ: FileOperation = 'read';
/** Programs whose bare arguments are files, and what they do to them. */
const PROGRAMS: Readonly<Record<string, FileOperation>> = {
  cat: READ,
  head: READ,
  tail: READ,
  less: READ,
  nl: READ,
  wc: READ,
  bat: READ,
  touch: 'created',
  mkdir: 'created',
  rm: 'deleted',
  rmdir: 'deleted',
  unlink: 'deleted',
  mv: 'moved',
  cp: 'created',
  tee: 'written',
  truncate: 'edited',
  ls: 'searched',
  find: 'searched',
  grep: 'searched',
  rg: 'searched',
};
/** Their first bare argument is the pattern, not a file. */
const PATTERN_FIRST = new Set(['grep', 'rg']);
const WORD =
  /"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'\\|&;<>()]|\\.)+)|(\|\|?|&&?|;|\n)|([012&]?>{1,2}\|?&?)|(<{1,3}[-&]?)|[()]/g;
const COMMENT = /^[ \t]*#.*$/gm;
const LONGEST = 4000;

/**
 * The files a shell line surely touches: arguments of the usual file programs, and where output is redirected to.
 * Conservative: what a variable, a glob or an unknown program does is left out. A here-document is data, not commands.
 */
export function shellFiles(line: string): FileAction[] {
  const files: FileAction[] = [];
  let words: string[] = [];
  let target: 'out' | 'in' | undefined;
  let folder = '';
  const add = ({ path, operation }: FileAction) => files.push({ path: inFolder(folder, path), operation });
  const close = () => {
    if (words[0] === 'cd' && words[1]) folder = inFolder(folder, words[1]);
    else for (const file of commandFiles(words)) add(file);
    words = [];
    target = undefined;
  };
  const plain = withoutHereDocument(line.slice(0, LONGEST)).replace(COMMENT, '');
  for (const match of plain.matchAll(WORD)) {
    const [, double, single, bare, end, out, input] = match;
    const word = double ?? single ?? bare;
    if (end !== undefined) close();
    else if (out !== undefined) target = out.endsWith('&') ? 'in' : 'out';
    else if (input !== undefined) target = 'in';
    else if (word !== undefined) {
      if (target === 'out' && isFile(word)) add({ path: word, operation: 'written' });
      else if (target === undefined && word) words.push(word);
      target = undefined;
    }
  }
  close();
  return files;
}

/** Where a path points to after `cd folder`. */
function inFolder(folder: string, path: string): string {
  if (!folder || /^[/~]|^\w:/.test(path) || /[$`*]/.test(folder)) return path;
  return `${folder.replace(/\/+$/, '')}/${path.replace(/^(?:\.\/)+/, '')}`;
}

function commandFiles(words: readonly string[]): FileAction[] {
  const rest = [...words];
  while (rest.length > 0 && /^(?:sudo|time|env|nohup|command|\w+=.*)$/.test(rest[0]!)) rest.shift();
  let program = (rest.shift() ?? '').replace(/^.*\//, '');
  if (program === 'git' && (rest[0] === 'mv' || rest[0] === 'rm')) program = rest.shift()!;
  if (program === 'sed') return sedFiles(rest);
  const operation = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program]! : undefined;
  if (!operation) return [];
  const bare = program === 'find' ? rest.slice(0, 1) : argumentsOf(rest);
  const paths = bare
    .slice(PATTERN_FIRST.has(program) ? 1 : 0)
    .filter((word) => isFile(word) && (operation !== 'searched' || /^[^\s]*[./][^\s]*$/.test(word)));
  if (program === 'cp' && paths.length > 1) {
    return paths.map((path, index) => ({ path, operation: index < paths.length - 1 ? READ : operation }));
  }
  return paths.map((path) => ({ path, operation }));
}

/** `sed -n 1,80p file` reads, `sed -i … file` edits; the first bare argument is the script unless `-e` gave one. */
function sedFiles(words: readonly string[]): FileAction[] {
  const inPlace = words.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word));
  const scripted = words.some((word) => word === '-e');
  const bare = words.filter((word, index) => !word.startsWith('-') && words[index - 1] !== '-e');
  return bare
    .slice(scripted ? 0 : 1)
    .filter(isFile)
    .map((path) => ({ path, operation: inPlace ? 'edited' : READ }));
}

function argumentsOf(words: readonly string[]): string[] {
  return words.filter((word, index) => {
    if (word.startsWith('-')) return false;
    return !(/^-(?:n|c|e|m)$/.test(words[index - 1] ?? '') && /^[+\d]|^s[/|]/.test(word));
  });
}

function isFile(word: string): boolean {
  return (
    word.length < 400 &&
    /[\p{L}\p{N}]/u.test(word) &&
    !/[$*?`{}|\n=]|^\/dev\/|^\d+$|^~$|^s[/|#,]|^\w+:\/\//u.test(word)
  );
}

function withoutHereDocument(line: string): string {
  const start = /<<-?\s*(['"]?)(\w+)\1/.exec(line);
  if (!start) return line;
  const firstEnd = line.indexOf('\n', start.index);
  if (firstEnd < 0) return line;
  const closing = line.indexOf(`\n${start[2]}`, firstEnd);
  return line.slice(0, firstEnd) + (closing < 0 ? '' : line.slice(closing + 1 + start[2]!.length));
}
