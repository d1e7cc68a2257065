interface FoundModel<Line> {
  readonly line: Line;
  /** False when the name goes on with more than a date or a word such as `latest`: a relative, not this very model. */
  readonly exact: boolean;
}

/**
 * Looks a model up by the longest known name that it starts with. Names are compared without provider, case and the
 * many ways to write a version: `openrouter/anthropic/claude-sonnet-4.5`, `us.anthropic.claude-sonnet-4-5-20250929-v1:0`
 * and `claude-sonnet-4-5` are the same model, `llama3.1:8b` and `meta-llama/Llama-3.1-8B-Instruct` too. Providers share
 * names with models (`gemini/gemma-2-9b`), so of several matches the one that reaches furthest is the model.
 */
export function findModel<Line>(
  model: string,
  { lines, nameOf }: { lines: Iterable<Line>; nameOf: (line: Line) => string },
): FoundModel<Line> | undefined {
  const names = namesWithin(model);
  let best: { line: Line; length: number; rest: string } | undefined;
  for (const line of lines) {
    const known = plainName(nameOf(line));
    for (const name of names) {
      if (!startsWithName(name, known)) continue;
      const rest = name.slice(known.length);
      const further = (best?.rest.length ?? Number.POSITIVE_INFINITY) - rest.length;
      if (further < 0 || (further === 0 && known.length <= (best?.length ?? 0))) continue;
      best = { line, length: known.length, rest };
    }
  }
  return best && { line: best.line, exact: SAME_MODEL.test(best.rest) };
}

/** Dates, revisions and tags that do not make it another model. */
const SAME_MODEL = /^(-(\d{2}|\d{4}|\d{6}|\d{8}|latest|preview|exp|v-?\d+|0|instruct|it|cloud|free|\d+k))*$/;

/** The whole name, and its rest after each separator: one of these is the model without its provider. */
function namesWithin(model: string): string[] {
  const starts = [...model.matchAll(/[/:.@]/g)].map(({ index }) => index + 1);
  return [0, ...starts].map((start) => plainName(model.slice(start)));
}

function plainName(name: string): string {
  const known = plainNames.get(name);
  if (known !== undefined) return known;
  const plain = name
    .toLowerCase()
    .replace(/([a-z])(?=\d)/g, '$1-')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (plainNames.size >= MOST_NAMES) plainNames.clear();
  plainNames.set(name, plain);
  return plain;
}
/** The same few names are looked up again and again; callers of a server can make up others without end. */
const plainNames = new Map<string, string>();
const MOST_NAMES = 5_000;

function startsWithName(name: string, known: string): boolean {
  return (
    known !== '' && name.startsWith(known) && (name.length === known.length || name[known.length] === '-')
  );
}
