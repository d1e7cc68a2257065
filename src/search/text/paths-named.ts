import { type Entry, isBlobRef } from '../../record/index.ts';
import { piecesOfEntries, readPart, toolActions } from '../../text/index.ts';
import { isListOfPaths, pathsIn } from './paths-in.ts';

/** So many of each call. */
const MOST_PATHS = 64;
const LONGEST_PATH = 1000;
const DEEPEST = 20;

/** Fields that say which file a call is about, in the ways that tools spell them. */
const PATH_FIELD =
  /^(?:source|destination|uri)$|(?:^|[_-])(?:path|file|file_?name|folder|dir|directory)s?$|[a-z](?:Path|File|File[nN]ame|Folder|Dir|Directory)s?$/;

/** Paths in the message's tool calls, as they stand there: what a field for paths holds is one as a whole. */
export function pathsNamed(entry: Entry): string[] {
  const { body } = entry;
  if (body.kind !== 'message') return [];
  const parts = body.parts.filter((part) => readPart(part).kind === 'call');
  if (parts.length === 0) return [];
  const [reading] = piecesOfEntries([{ ...entry, body: { ...body, parts } }]);
  return [
    ...new Set(
      reading!.pieces.flatMap((piece) => (piece.kind === 'call' ? pathsOf(piece.tool, piece.input) : [])),
    ),
  ];
}

function pathsOf(tool: string, input: unknown): string[] {
  const paths = new Set(toolActions(tool, input).files.map(({ path }) => path));
  addPaths(input, { paths, isPath: false, depth: 0 });
  return [...paths].slice(0, MOST_PATHS);
}

interface Adding {
  readonly paths: Set<string>;
  /** The field is one for paths. */
  readonly isPath: boolean;
  readonly depth: number;
}

function addPaths(value: unknown, { paths, isPath, depth }: Adding): void {
  if (typeof value === 'string') {
    const whole = isPath && couldBePath(value);
    if (whole) paths.add(value.trim());
    if (!whole || isListOfPaths(value.trim())) for (const path of pathsIn(value)) paths.add(path);
  } else if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  else if (isBlobRef(value)) addPaths(value.preview, { paths, isPath: false, depth });
  else if (Array.isArray(value))
    for (const item of value) addPaths(item, { paths, isPath, depth: depth + 1 });
  else
    for (const [name, item] of Object.entries(value))
      addPaths(item, { paths, isPath: PATH_FIELD.test(name), depth: depth + 1 });
}

function couldBePath(text: string): boolean {
  return (
    text.length < LONGEST_PATH &&
    /[^\s.]/.test(text) &&
    !/[\n\r]/.test(text) &&
    !/^(?!file:)\w+:\/\//i.test(text)
  );
}
