/** A question that a successor must be able to answer, and how to tell by counting whether a text answers it. */
export interface Probe {
  readonly id: string;
  readonly kind: string;
  readonly weight?: number;
  readonly say: string;
  readonly ask: string;
  /** Any group; all expressions of a group in one line, or in it and the next. */
  readonly match: readonly (readonly string[])[];
  /** What would be false. */
  readonly never?: readonly string[];
  /** Headings under which it may stand. */
  readonly under?: readonly string[];
}

/** A line of a summary and the headings it stands under: its section's, and a label of its own. */
export interface HeadedLine {
  readonly line: string;
  readonly under: ReadonlySet<string>;
}

const LONGEST = 320;
const compiled = new Map<string, RegExp>();

function expression(source: string): RegExp {
  const known = compiled.get(source) ?? new RegExp(source, 'i');
  compiled.set(source, known);
  return known;
}

/** Lines without blanks and bullets; overlong ones in pieces, so that a whole file on one line does not match everything. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/).flatMap((raw) => {
    const pieces: string[] = [];
    let line = raw.replace(/^\s*(?:[-*•]\s+)?/, '').trimEnd();
    while (line.length > LONGEST) {
      const space = line.lastIndexOf(' ', LONGEST);
      const cut = space > LONGEST / 2 ? space : LONGEST;
      pieces.push(line.slice(0, cut));
      line = line.slice(cut).trimStart();
    }
    return line ? [...pieces, line] : pieces;
  });
}

/** Known by a name alone; of other kinds a bare list of names says nothing. */
const NAMED = new Set(['file', 'command', 'figure', 'error']);

/** Where in the lines a probe is answered. */
export function findProbe(lines: readonly string[], { match, kind }: Probe): number[] {
  const found = new Set<number>();
  for (const group of match) {
    const all = group.map(expression);
    const hits = lines.map((line) => all.map((one) => one.test(line)));
    hits.forEach((hit, at) => {
      if (hit.every(Boolean)) found.add(at);
      else if (hits[at + 1] && hit.some(Boolean) && hit.every((is, n) => is || hits[at + 1]![n])) {
        found.add(at);
        found.add(at + 1);
      }
    });
  }
  return [...found].filter((at) => NAMED.has(kind) || !isBare(lines[at]!)).sort((a, b) => a - b);
}

export function falseLines(summary: readonly HeadedLine[], { never = [] }: Probe): string[] {
  const isFalse = ({ line, under }: HeadedLine) =>
    never.some((one) =>
      [line, ...[...under].map((title) => `${title}: ${line}`)].some((text) => expression(one).test(text)),
    );
  return [...new Set(summary.filter(isFalse).map(({ line }) => line))];
}

const HEADINGS: readonly (readonly [name: string, words: RegExp])[] = [
  ['decisions', /decision|decided|agreed|entschieden/i],
  ['pending', /pending|open|to.?do|next|remaining|offen/i],
  ['blockers', /block|problem|fail|error/i],
  ['completed', /complet|done|finish|verified|erledigt/i],
  ['files', /^files?\b/i],
  ['ledger', /ledger|command|identifier|figure|exact/i],
  ['topics', /topic/i],
  ['overview', /overview|summary|goal|first message|request|purpose/i],
  ['facts', /fact|constraint|preference|context|rule|state|note/i],
];

function headingOf(title: string): string | undefined {
  return HEADINGS.find(([, words]) => words.test(title))?.[0];
}

export function readSummaryLines(text: string): HeadedLine[] {
  const found: HeadedLine[] = [];
  let section = 'overview';
  for (const raw of text.split(/\r?\n/)) {
    if (/^\[(?:Record|End of record)\b/.test(raw) || !raw.trim()) continue;
    const title =
      /^\s*#{1,6}\s+(.+?)\s*:?$/.exec(raw)?.[1] ?? /^\s*\*\*([^*]{2,40})\*\*:?\s*$/.exec(raw)?.[1];
    if (title) {
      section = headingOf(title) ?? 'other';
      continue;
    }
    for (const line of linesOf(raw)) {
      const label = /^\W*([\p{L} ]{3,24}):\s/u.exec(line)?.[1];
      const named = label && headingOf(label);
      found.push({ line, under: new Set([section, ...(named ? [named] : [])]) });
    }
  }
  return found;
}

/** Without what only looks differently: markup, quotes, bullets, numbering, space. */
export function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*_`#>|~"'“”„‘’«»\\]/g, ' ')
    .replace(/^[ \t]*(?:[-•–]|\d+[.)])[ \t]+/gm, ' ')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();
}

/** A sentence of the line stands nowhere in the session as it stands here: words were dropped or put together anew. */
export function hasWordsDropped(line: string, source: string): boolean {
  const stands = (text: string) =>
    plainText(text)
      .split(/(?<=[.!?:;])\s+|\s*…\s*|\.\.\.|\s*(?:→|—|=>)\s*/)
      .map((piece) => piece.replace(/^[\s,.;:()[\]-]+|[\s,.;:!?()[\]-]+$/g, ''))
      .every((piece) => piece.length <= 2 || source.includes(piece));
  const unlabelled = line.replace(/^[\p{L} ]{3,24}:\s+/u, '');
  const ended = (text: string) => text.replace(/\s*\((?:[^()]{1,40})\)\s*$/, '');
  return ![line, ended(line), unlabelled, ended(unlabelled)].some(stands);
}

/** Only names, identifiers and figures: nothing is said about them. */
export function isBare(line: string): boolean {
  const body = line
    .replace(/^[\p{L} ]{3,24}:\s+/u, '')
    .replace(/`[^`]*`/g, ' ')
    .replace(/https?:\S+/g, ' ');
  if (/[\u3040-\u30ff\u4e00-\u9fff]/.test(body)) return false;
  const words = body.split(/[\s,;|()"'“”]+/).filter(Boolean);
  return !words.some((word) => /^\p{Ll}{2,}[.:!?]?$|^\p{Ll}+-\p{Ll}+[.:!?]?$/u.test(word));
}
