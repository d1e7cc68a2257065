import type { SummaryLine } from '../../record/index.ts';
import { Letters } from './letters.ts';
import { createToken, readToken } from './read-token.ts';
import type { Source, Units } from './unit-rows.ts';

const MOST = 5;
const SPACELESS_LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]/u;

/** The names that the range keeps coming back to: people, places, products, functions. Most mentioned first. */
export function chooseTopics(units: Units, sources: readonly Source[]): SummaryLine[] {
  const ranked: { word: number; score: number }[] = [];
  for (let word = 0; word < units.vocabulary; word++) {
    const mentions = units.named[word]!;
    if (mentions < 3) continue;
    ranked.push({ word, score: mentions * Math.log(1 + units.count / Math.max(1, units.frequency[word]!)) });
  }
  ranked.sort((a, b) => b.score - a.score || a.word - b.word);
  const topics = new Map<string, SummaryLine>();
  for (const { word } of ranked.slice(0, MOST * 3)) {
    if (topics.size >= MOST) break;
    const row = units.namedIn[word]!;
    const name = row < units.count ? nameIn(units, sources, { row, word }) : undefined;
    if (name && !topics.has(name.toLowerCase())) {
      topics.set(name.toLowerCase(), { text: name, from: [...sources[units.source[row]!]!.from] });
    }
  }
  return [...topics.values()];
}

/** The name as it was written, without what stands around it; paths are not topics, the files are listed anyway. */
function nameIn(units: Units, sources: readonly Source[], { row, word }: { row: number; word: number }) {
  const text = sources[units.source[row]!]!.text.slice(units.start[row], units.end[row]);
  const token = createToken();
  const letters = new Letters();
  for (const { 0: piece } of text.matchAll(/\S+/g)) {
    readToken(letters.load(piece), 0, piece.length, token);
    const core = piece.slice(token.coreStart, token.coreEnd).replace(/['’]s$/, '');
    if (
      core.length < 3 ||
      core.length > 40 ||
      !/^[\p{L}\p{N}_.'’-]+$/u.test(core) ||
      SPACELESS_LETTER.test(core)
    )
      continue;
    if (/^\p{Lu}|\p{Ll}\p{Lu}|_|\./u.test(core) && units.wordsOf(piece).includes(word)) return core;
  }
  return undefined;
}
