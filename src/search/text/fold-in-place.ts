import { foldLetters, isAsciiText } from './fold-text.ts';

/** A folded text that knows where its characters are from. */
interface Folded {
  readonly text: string;
  /** Where in the text itself something begins that begins here in the folded one. */
  startOf(at: number): number;
  /** Where it ends. */
  endOf(at: number): number;
}

/** Lower case without accents, as the index takes it, for finding places in the text itself. */
export function foldInPlace(text: string): Folded {
  return isAsciiText(text) ? { text: text.toLowerCase(), startOf: same, endOf: same } : foldOther(text);
}

function same(at: number): number {
  return at;
}

/** A character with its marks that is longer or shorter when it is folded. */
interface Resized {
  /** In the text itself, and in the folded one. */
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

/** Characters that stay one when they are folded, whatever stands beside them; not all there are. */
const STEADY =
  '\\0-\\x7f\\xa0-\\xac\\xae-\\xbb\\xbf-\\xde\\xe0-\\u012f\\u0131\\u0134-\\u013e\\u0141-\\u0148\\u014a-\\u01c3\\u0370-\\u0481\\u048a-\\u052f\\u05d0-\\u05ea\\u0621-\\u064a\\u0e01-\\u0e32\\u0e34-\\u0e3a\\u0e3f-\\u0e5b\\u1e00-\\u1e99\\u1ea0-\\u1eff\\u2013-\\u2016\\u2018-\\u2023\\u2190-\\u2199\\u2500-\\u27bf\\u3000-\\u3020\\u3041-\\u3096\\u30a1-\\u30fe\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff5e';
/** Those of them that more than their case may change of. */
const CHANGING = /[\xa0-\u052f\u1e00-\u1eff\u3000\uff01-\uff5e]/g;
const UNSTEADY = new RegExp(`[^${STEADY}]+`, 'g');
/** The part of those that folds alone: a syllable in pieces, a character with its marks. */
const CLUSTER = /[\u1100-\u115f\uac00-\ud7a3][\u1160-\u11ff]+|[\s\S][\p{M}\uff9e\uff9f]*/gu;

function foldOther(text: string): Folded {
  const resized: Resized[] = [];
  let folded = '';
  let done = 0;
  for (const { 0: run, index } of text.matchAll(UNSTEADY)) {
    // With the character before it, which a mark may belong to.
    let from = Math.max(done, index - 1);
    folded += foldSteady(text.slice(done, from));
    for (const [cluster] of text.slice(from, index + run.length).matchAll(CLUSTER)) {
      const start = folded.length;
      folded += cluster.length === 1 ? foldOne(cluster) : foldLetters(cluster);
      const to = from + cluster.length;
      if (folded.length - start !== cluster.length) resized.push({ from, to, start, end: folded.length });
      from = to;
    }
    done = from;
  }
  folded += foldSteady(text.slice(done));
  return resized.length === 0
    ? { text: folded, startOf: same, endOf: same }
    : {
        text: folded,
        startOf(at) {
          const last = lastUpTo(resized, at);
          if (!last) return at;
          return at < last.end ? last.from : last.to + at - last.end;
        },
        endOf(at) {
          const last = lastUpTo(resized, at - 1);
          if (!last) return at;
          return at <= last.end ? last.to : last.to + at - last.end;
        },
      };
}

/** One by one, which for the few that change is faster than three spellings of the whole. */
function foldSteady(text: string): string {
  return text.toLowerCase().replace(CHANGING, foldOne);
}

const known = new Map<string, string>();

function foldOne(character: string): string {
  let folded = known.get(character);
  if (folded === undefined) {
    folded = foldLetters(character);
    known.set(character, folded);
  }
  return folded;
}

/** The last one that begins at this place or before it. */
function lastUpTo(resized: readonly Resized[], at: number): Resized | undefined {
  let [low, high] = [0, resized.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (resized[middle]!.start <= at) low = middle + 1;
    else high = middle;
  }
  return resized[low - 1];
}
