import type { IndexTables } from '../index/tables.ts';
import { foldText } from '../text/fold-text.ts';
import { askedTime, matchesTime, rangeOf } from './asked-time.ts';
import { type NamedSpeakers, namedSpeakers } from './named-speakers.ts';
import type { Query } from './parse-query.ts';
import type { WordSearch } from './search-words.ts';

/** What a message deserves besides its words, as a share of the best score. */
export type Prior = (doc: number) => number;

const SPEAKER = 0.4;
const TIME = 0.5;

export interface Asked {
  /** The query without the name of the person it asks about: a name says who speaks, and hardly ever what about. */
  readonly query: Query;
  readonly prior: Prior | undefined;
  /** The share of the query that names people who spoke: every message of theirs is about it. */
  readonly named: number;
  /** The time that the query names: messages of that time are found without any of its words. */
  readonly range: { readonly since: number; readonly until: number } | undefined;
}

interface Hinting {
  readonly tables: IndexTables;
  readonly words: WordSearch;
  readonly now: number | undefined;
}

/** A speaker or a time that the query names: a hint which messages are meant. */
export function readHints(query: Query, { tables, words, now }: Hinting): Asked {
  if (query.literals.length > 0) return { query, prior: undefined, named: 0, range: undefined };
  const time = askedTime(query.text, now);
  // A bare year may be any number.
  const range = time?.month === undefined ? undefined : rangeOf(time);
  const { ids, words: names } = query.exact
    ? NOBODY
    : namedSpeakers(query.text, tables.speakers(), (word) => words.frequency(`"${word}"`));
  // Where two are named, each is asked about as much as the other.
  const said = ids.size === 1 ? SPEAKER : 0;
  const asked = withoutNames(query, names);
  const named = shareOf(names, query);
  if (said === 0 && !time) return { query: asked, prior: undefined, named, range };
  return {
    query: asked,
    named,
    range,
    prior(doc) {
      const row = tables.doc(doc);
      if (!row) return 0;
      const speaks = row.speaker !== undefined && ids.has(row.speaker) ? said : 0;
      return speaks + (time ? TIME * matchesTime(time, row.at) : 0);
    },
  };
}

const NOBODY: NamedSpeakers = { ids: new Set(), words: new Set() };

/** A name and nothing else is the person spoken to, as often as not. */
function shareOf(names: ReadonlySet<string>, { terms }: Query): number {
  return terms.length > 1 ? terms.filter(({ shown }) => names.has(shown)).length / terms.length : 0;
}

function withoutNames(query: Query, names: ReadonlySet<string>): Query {
  if (names.size === 0) return query;
  const terms = query.terms.filter(({ kind, shown }) => kind !== 'word' || !names.has(shown));
  if (terms.length === 0) return query;
  const text = query.text.replace(/[\p{L}\p{M}]+/gu, (word) => (names.has(foldText(word)) ? ' ' : word));
  return { ...query, terms, words: query.words.filter((word) => !names.has(word)), text };
}
