import type { SpeakerRow } from '../index/tables.ts';
import { foldText } from '../text/fold-text.ts';
import { isStopWord } from '../text/index-text.ts';

export interface NamedSpeakers {
  readonly ids: ReadonlySet<number>;
  /** The words of the query that name them, folded. */
  readonly words: ReadonlySet<string>;
}

/** Given names that are English words: in small letters they are those. */
const ALSO_WORDS: ReadonlySet<string> = new Set(
  `art april august bill bob chase chip chuck crystal dale dawn dean don drew earl ernest faith frank gene grace grant guy
  hank harmony heath hope hunter ivy jack jade jean jewel joy june lance lily mark mason max may miles nick norm olive
  page parker pat pearl penny pierce ray reed rich rob robin rod rose ruby rusty sage sandy skip sky sterling stone sue
  summer ted terry trace violet wade will woody`.split(/\s+/),
);
const LEAST_LETTERS = 3;
/** Of so many letters, one may be off, and it is still the same name. */
const LEAST_MISSPELT = 5;

/**
 * Who of those that spoke is named in a query. An agent is, where its whole name stands letter for letter: a host may
 * well be called "build", and a query about building does not mean it. A person is also named by a part of the name, in
 * any case, and in a near spelling; not by a word that means something else, as "will" and "mark" do.
 */
export function namedSpeakers(
  text: string,
  speakers: readonly SpeakerRow[],
  /** In how many messages a word is. */
  frequency: (word: string) => number,
): NamedSpeakers {
  const typed = [...text.matchAll(/[\p{L}\p{M}]+/gu)].map(([word]) => ({ word, folded: foldText(word) }));
  const ids = new Set<number>();
  const words = new Set<string>();
  for (const { id, name } of speakers.filter((speaker) => standsIn(text, speaker.name))) {
    ids.add(id);
    for (const part of partsOf(name)) words.add(part);
  }
  const people = speakers.filter(({ noted, id }) => noted && !ids.has(id));
  const taken = new Set(words);
  for (const { word, folded } of typed) {
    if (taken.has(folded) || folded.length < LEAST_LETTERS) continue;
    if (word === folded && ALSO_WORDS.has(folded)) continue;
    const meant = people.filter(({ name }) => partsOf(name).includes(folded));
    const near = meant.length > 0 || !couldBeMisspelt(word, frequency) ? [] : nearest(folded, people);
    // A part that several people have names none of them.
    const found = meant.length > 0 ? meant : near;
    if (found.length !== 1) continue;
    ids.add(found[0]!.id);
    words.add(folded);
  }
  return { ids, words };
}

/** As a name is written, with its capitals. */
function standsIn(text: string, name: string): boolean {
  if (name.toLowerCase() === name && name.toUpperCase() !== name) return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = (text[at - 1] ?? ' ') + (text[at + name.length] ?? ' ');
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}

function partsOf(name: string): string[] {
  return foldText(name)
    .split(/[^\p{L}\p{M}]+/u)
    .filter((part) => part.length >= LEAST_LETTERS);
}

/** A word that messages have is that word. */
function couldBeMisspelt(word: string, frequency: (word: string) => number): boolean {
  return word.length >= LEAST_MISSPELT && !isStopWord(foldText(word)) && frequency(word) === 0;
}

function nearest(word: string, people: readonly SpeakerRow[]): SpeakerRow[] {
  return people.filter(({ name }) =>
    partsOf(name).some((part) => part[0] === word[0] && isOneOff(part, word)),
  );
}

/** One letter more, less, other, or two in the wrong order. */
function isOneOff(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < LEAST_MISSPELT || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [restA, restB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
}
