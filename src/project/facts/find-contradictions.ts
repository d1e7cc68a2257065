import type { EntryId } from '../../record/index.ts';
import type { MemoryFact } from './read-memory.ts';

/**
 * `rivals` were written in place of the same fact by two writers who did not know of each other. The others are a
 * suspicion, by wording: the same said of the same thing with another value or figure, or with a "not" in it.
 */
export type ContradictionKind = 'rivals' | 'value' | 'figure' | 'negation';

export interface Contradiction {
  readonly older: EntryId;
  readonly newer: EntryId;
  readonly kind: ContradictionKind;
}

type Told = Pick<MemoryFact, 'id' | 'seq' | 'text' | 'supersedes'>;

/** Which facts cannot both hold, or may not; each pair once. Costs by the number of facts, not of pairs. */
export function findContradictions(facts: readonly Told[]): Contradiction[] {
  const found = new Map<string, Contradiction>();
  for (const { kind, claims, differ } of RULES) {
    for (const alike of grouped(facts, claims)) {
      for (const [index, newer] of alike.entries()) {
        // The newest few that came before are enough to show that there is something to settle.
        for (const older of alike.slice(Math.max(0, index - MOST_PAIRS), index)) {
          const pair = { older: older.fact.id, newer: newer.fact.id, kind };
          const key = `${pair.older} ${pair.newer}`;
          if (differ(older.value, newer.value) && !found.has(key)) found.set(key, pair);
        }
      }
    }
  }
  return [...found.values()];
}

const MOST_PAIRS = 5;

/** What a fact is about, and what it says of that: facts about the same with different values contradict each other. */
interface Claim {
  readonly about: string;
  readonly value: string;
}

interface Rule {
  readonly kind: ContradictionKind;
  readonly claims: (fact: Told) => readonly Claim[];
  readonly differ: (a: string, b: string) => boolean;
}

const unequal = (a: string, b: string) => a !== b;

const RULES: readonly Rule[] = [
  {
    kind: 'rivals',
    claims: ({ supersedes, text }) => supersedes.map((about) => ({ about, value: factKey(text) })),
    differ: unequal,
  },
  { kind: 'negation', claims: ({ text }) => [negationOf(text)], differ: unequal },
  { kind: 'value', claims: ({ text }) => valuesOf(text), differ: areOtherValues },
  { kind: 'figure', claims: ({ text }) => figuresOf(text), differ: unequal },
];

interface Claimed {
  readonly fact: Told;
  readonly value: string;
}

/** Facts that are about the same, oldest first. */
function grouped(facts: readonly Told[], claims: Rule['claims']): Claimed[][] {
  const groups = new Map<string, Claimed[]>();
  for (const fact of facts.toSorted((a, b) => a.seq - b.seq)) {
    for (const { about, value } of claims(fact)) {
      const group = groups.get(about);
      if (group) group.push({ fact, value });
      else groups.set(about, [{ fact, value }]);
    }
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

const NEGATIONS =
  /\b(?:do(?:es)? not|don't|doesn't|is not|isn't|are not|aren't|not|never|no longer|cannot|can't)\b/g;
const AUXILIARIES = /\b(?:is|are|do|does|can|always|the|an?)\b/g;

/** "Never use tabs" and "Use tabs" are about the same, but for the "never". */
function negationOf(text: string): Claim {
  const plain = factKey(text).replaceAll('’', "'");
  const count = plain.match(NEGATIONS)?.length ?? 0;
  const about = plain.replace(NEGATIONS, ' ').replace(AUXILIARIES, ' ').replace(/\s+/g, ' ').trim();
  return { about, value: count % 2 === 1 ? 'no' : 'yes' };
}

const LINKS: readonly [link: string, pattern: RegExp][] = [
  ['be', /^(.{2,80}?)(?:\s*[:=：＝]\s*|\s+(?:is|are|was|were|must be|should be|defaults? to)\s+)(\S.*)$/u],
  ['use', /^(.{2,80}?)\s+uses?\s+(\S.*)$/u],
  ['run', /^(.{2,80}?)\s+runs? (?:on|with|in)\s+(\S.*)$/u],
  ['live', /^(.{2,80}?)\s+(?:lives?|stands?) (?:in|at)\s+(\S.*)$/u],
];

/** "The port is 8080" says 8080 of the port. Other sentences say nothing in this sense. */
function valuesOf(text: string): Claim[] {
  const plain = factKey(text);
  for (const [link, pattern] of LINKS) {
    const [, subject, value] = pattern.exec(plain) ?? [];
    const thing = subject
      ?.replace(/\b(?:the|an?|our|this)\b/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (thing && value) return [{ about: `${link} ${thing}`, value }];
  }
  return [];
}

const LONGEST_VALUE = 3;

/** Values are short; a longer one is a description, and two descriptions can both be true. */
function areOtherValues(a: string, b: string): boolean {
  const words = a.split(' ').length;
  if (words > LONGEST_VALUE || words !== b.split(' ').length) return false;
  return !a.startsWith(b) && !b.startsWith(a);
}

/** A number behind one of these names a thing rather than measuring it. */
const NUMBERED = /(?:#|\b(?:issue|step|phase|pr|bug|ticket|chapter|section|line|part|task|entry|round) )$/;
const LEAST_WORDS = 2;

/** The line with its figures blotted out, against the line itself; nothing if it has none or says too little besides. */
function figuresOf(text: string): Claim[] {
  const plain = factKey(text);
  const about = plain.replace(/\d+(?:[.,:]\d+)*/g, (figure, at: number) =>
    NUMBERED.test(plain.slice(Math.max(0, at - 12), at)) ? figure : '#',
  );
  const words = about.match(/\p{L}{2,}|\p{Script=Han}/gu)?.length ?? 0;
  return about !== plain && words >= LEAST_WORDS ? [{ about, value: plain }] : [];
}

/** What a line says, whatever its case, spacing and final stop: two lines with one key are the same fact. */
export function factKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s.。!！;；]+$/u, '');
}
