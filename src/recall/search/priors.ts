import type { Tables } from '../index-file/tables.ts';
import { askedTime, matchesTime } from './asked-time.ts';
import type { Query } from './parse-query.ts';

/** What a message deserves besides its words, as a share of the best score. */
export type Prior = (doc: number) => number;

const SPEAKER = 0.4;
const TIME = 0.5;

export interface Asked {
  /** The query without the name of whoever is asked about: a name says who speaks, and hardly ever what about. */
  readonly query: Query;
  readonly prior: Prior | undefined;
  /** The share of the query that names people who spoke: every message of theirs is about it. */
  readonly named: number;
}

/** A speaker or a time that the query names: a hint which messages are meant. */
export function readHints(query: Query, tables: Tables): Asked {
  if (query.exact || query.literals.length > 0) return { query, prior: undefined, named: 0 };
  // Names are not asked for where none can be.
  const speakers = /[^a-z\s]/.test(query.text) ? tables.speakers() : [];
  const named = speakers.filter(({ name }) => isNamed(name, query.text));
  const speaker = named.length === 1 ? named[0]!.id : undefined;
  const time = askedTime(query.text);
  const names = named.map(({ name }) => name);
  const asked = withoutNames(query, names);
  const share = shareOf(names, query);
  if (speaker === undefined && !time) return { query: asked, prior: undefined, named: share };
  return {
    query: asked,
    named: share,
    prior(doc) {
      const row = tables.doc(doc);
      if (!row) return 0;
      const said = speaker !== undefined && row.speaker === speaker ? SPEAKER : 0;
      return said + (time ? TIME * matchesTime(time, row.at) : 0);
    },
  };
}

/** As a name is written: a host may well be called "build", and a query about building does not mean it. */
function isNamed(name: string, text: string): boolean {
  if (name.toLowerCase() === name && name.toUpperCase() !== name) return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = (text[at - 1] ?? ' ') + (text[at + name.length] ?? ' ');
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}

/** A name and nothing else is the person spoken to, as often as not. */
function shareOf(names: readonly string[], { terms }: Query): number {
  const dropped = wordsIn(names);
  return terms.length > 1 ? terms.filter(({ shown }) => dropped.has(shown)).length / terms.length : 0;
}

function wordsIn(names: readonly string[]): Set<string> {
  return new Set(names.flatMap((name) => name.toLowerCase().split(/\s+/)));
}

function withoutNames(query: Query, names: readonly string[]): Query {
  if (names.length === 0) return query;
  const dropped = wordsIn(names);
  const terms = query.terms.filter(({ kind, shown }) => kind !== 'word' || !dropped.has(shown));
  if (terms.length === 0) return query;
  const text = names.reduce((rest, name) => rest.replaceAll(name, ' '), query.text);
  return { ...query, terms, words: query.words.filter((word) => !dropped.has(word)), text };
}
