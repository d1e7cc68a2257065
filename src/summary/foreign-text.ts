import { countText } from '../tokens/index.ts';
import { FENCE, type HeadedSection, headingsOf, sectionOf } from './headings.ts';

// A summary that another program's model wrote stands beside ours, word for word. Its headings are its own, so it stands
// last, behind a heading that everything up to the end belongs to.

export const FOREIGN_TITLE = 'Summary by another program, of what came before';

/** Where the foreign text begins among the lines of a summary of ours; -1 if there is none. */
export function foreignStart(lines: readonly string[]): number {
  return lines.findIndex((line) => line === `### ${FOREIGN_TITLE}` || line === `**${FOREIGN_TITLE}:**`);
}

/** Text without blank lines around it. */
export function trimLines(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

/** What goes first where there is no room for all: code, then lists of files, then how the work went. */
const WORTH: Partial<Record<HeadedSection, number>> = {
  files: 1,
  ledger: 1,
  completed: 3,
  dropped: 3,
  overview: 3,
  background: 3,
  goal: 4,
  state: 4,
  standing: 4,
  decisions: 4,
  pending: 4,
  blockers: 4,
};
const CODE = 0;
const NARRATED = 2;
const ASKED = /\buser\b|request|instruction|next/i;

/** The text in at most `maxTokens`: whole lines are left out, the least useful first, and of those the oldest of each section. */
export function fitForeign(text: string, maxTokens: number): string {
  if (countText(text) <= maxTokens) return text;
  const parts = partsOf(text);
  const sizes = Map.groupBy(parts, ({ under }) => under);
  const ages = parts.map((part) => {
    const section = sizes.get(part.under)!;
    return 1 - (section.indexOf(part) + 1) / section.length;
  });
  const order = parts
    .map((_, at) => at)
    .sort((a, b) => parts[b]!.worth - parts[a]!.worth || ages[a]! - ages[b]! || b - a);
  const having = (count: number) => {
    const kept = new Set(order.slice(0, count));
    return joined(parts.filter((_, at) => kept.has(at)));
  };
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countText(having(middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return having(low);
}

interface Part {
  /** A line, or code with its fences. */
  readonly lines: readonly string[];
  readonly worth: number;
  /** The headings that it stands under. */
  readonly under: readonly string[];
}

function partsOf(text: string): Part[] {
  const lines = text.split('\n');
  const headingIn = headingsOf(lines);
  const parts: Part[] = [];
  let worth = NARRATED;
  let open: readonly { readonly line: string; readonly depth: number; readonly worth: number }[] = [];
  let under: readonly string[] = [];
  let code: string[] | undefined;
  for (const line of lines) {
    const isFence = FENCE.test(line.trim());
    if (code) {
      code.push(line);
      if (!isFence) continue;
      parts.push({ lines: code, worth: CODE, under });
      code = undefined;
      continue;
    }
    if (isFence) {
      code = [line];
      continue;
    }
    const heading = headingIn(line);
    if (heading) {
      const depth = /^#+/.exec(line)?.[0].length ?? DEEPEST;
      open = open.filter((above) => above.depth < depth);
      worth = worthOf(heading.title) ?? open.at(-1)?.worth ?? NARRATED;
      if (!heading.rest) open = [...open, { line, depth, worth }];
      under = open.map((above) => above.line);
      if (!heading.rest) continue;
    }
    if (line.trim()) parts.push({ lines: [line], worth, under });
  }
  if (code) parts.push({ lines: code, worth: CODE, under });
  return parts;
}

/** Of a heading without `#`: bold words, or a number. */
const DEEPEST = 7;

function worthOf(title: string): number | undefined {
  if (ASKED.test(title)) return WORTH.goal;
  const section = sectionOf(title);
  return section && (WORTH[section] ?? NARRATED);
}

/** A heading stands where something is left under it. */
function joined(parts: readonly Part[]): string {
  let under: readonly string[] = [];
  const lines = parts.flatMap((part) => {
    const shared = part.under.findIndex((line, at) => line !== under[at]);
    const head = part.under === under || shared < 0 ? [] : part.under.slice(shared);
    under = part.under;
    return [...head, ...part.lines];
  });
  return lines.join('\n');
}
