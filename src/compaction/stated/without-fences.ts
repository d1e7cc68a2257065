const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/;
/** As a fence is closed: by as many marks as it was opened with, or more, and nothing else. */
const BARE = /^[`~]*[ \t]*$/;

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly closes: boolean;
}

/** The text without its blocks of code. A fence that is not closed opens no block. */
export function withoutFences(text: string): string {
  const lines = text.split('\n');
  const fences = lines.map(fenceIn);
  const longest = longestAfter(fences);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const opened = fences[at];
    if (opened && longest[at]![opened.mark]! >= opened.length) at = closingOf(fences, at, opened);
    else kept.push(lines[at]!);
  }
  return kept.join('\n');
}

function fenceIn(line: string): Fence | undefined {
  const [, marks, rest] = FENCE.exec(line) ?? [];
  return marks === undefined
    ? undefined
    : { mark: marks[0]!, length: marks.length, closes: BARE.test(rest!) };
}

/** For each line the longest fence behind it that could close one, so that the search for one takes no time in vain. */
function longestAfter(fences: readonly (Fence | undefined)[]): Record<string, number>[] {
  let longest: Record<string, number> = { '`': 0, '~': 0 };
  return fences
    .toReversed()
    .map((fence) => {
      const behind = longest;
      if (fence?.closes) longest = { ...longest, [fence.mark]: Math.max(longest[fence.mark]!, fence.length) };
      return behind;
    })
    .reverse();
}

function closingOf(fences: readonly (Fence | undefined)[], from: number, opened: Fence): number {
  let at = from + 1;
  while (!isClosedBy(opened, fences[at])) at++;
  return at;
}

function isClosedBy({ mark, length }: Fence, fence: Fence | undefined): boolean {
  return fence?.closes === true && fence.mark === mark && fence.length >= length;
}
