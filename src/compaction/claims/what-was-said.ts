import type { Entry, EntryId, Message, Summary } from '../../record/index.ts';
import { isExact } from '../../summary/index.ts';
import {
  claimsApproval,
  claimsWondering,
  consents,
  quotedIn,
  refuses,
  sayMessage,
  splitSentences,
  wishes,
  withoutYes,
  wonders,
} from '../../text/index.ts';
import { writtenLines } from '../written-lines.ts';
import { contentOf, countShared } from './claim-content.ts';

/** What the user of a range said, as a judge of what a summary says about them. */
interface Said {
  /** It is what a user wrote, word for word, give or take words left out. */
  quotes(text: string): boolean;
  /** An older summary says it, and was judged by what it stood for. */
  repeats(text: string): boolean;
  asksFor(text: string, from: readonly EntryId[]): boolean;
  agreesTo(text: string): boolean;
}

/** Of what a request claims, at least so much must have been said; of agreed proposals, more. */
const ASKED = 0.4;
const AGREED = 0.6;
const REPEATED = 0.8;

interface Spoken {
  readonly id: EntryId;
  readonly role: Message['role'];
  readonly text: string;
}

export function readSaid(entries: readonly Entry[], earlier: readonly Summary[]): Said {
  const spoken = entries.flatMap(({ id, body }): Spoken[] =>
    body.kind === 'message' ? [{ id, role: body.role, text: sayMessage(body) }] : [],
  );
  const users = spoken.flatMap(({ role }, index) => (role === 'user' ? [readUser(spoken, index)] : []));
  const older = lazily(() =>
    earlier.flatMap(sentencesOf).map((line) => ({ approval: claimsApproval(line), about: contentOf(line) })),
  );
  return {
    quotes: (text) => users.some((user) => user.quotes()(text)),
    repeats(text) {
      const told = contentOf(text);
      const approval = claimsApproval(text);
      return older().some((line) => line.approval === approval && covers(line.about, told, REPEATED));
    },
    asksFor(text, from) {
      const asked = contentOf(text);
      const heard = claimsWondering(text) ? 'said' : 'askedFor';
      const named = users.filter(({ id }) => from.includes(id));
      return (named.length > 0 ? named : users).some((user) => covers(user[heard](), asked, ASKED));
    },
    agreesTo(text) {
      const claimed = contentOf(text);
      const figures = [...claimed].filter(isExact);
      const agrees = ({ about, least }: Agreement) =>
        countShared(claimed, about) >= least &&
        covers(about, claimed, AGREED) &&
        figures.every((figure) => about.has(figure));
      return users.some((user) => user.agreements().some(agrees));
    },
  };
}

/** The facts about one message of a user. Each is found once, however many lines are held against it. */
function readUser(spoken: readonly Spoken[], index: number) {
  const { id, text } = spoken[index]!;
  const sentences = lazily(() => splitSentences(text));
  return {
    id,
    quotes: lazily(() => quotedIn(text)),
    said: lazily(() => contentOf(sentences().join('\n'))),
    askedFor: lazily(() =>
      contentOf(
        sentences()
          .filter((sentence) => !wonders(sentence))
          .join('\n'),
      ),
    ),
    agreements: lazily(() => agreementsIn(text, questionBefore(spoken, index))),
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Whether so large a share of the words is in the others. */
function covers(heard: ReadonlySet<string>, words: ReadonlySet<string>, share: number): boolean {
  return words.size > 0 && countShared(words, heard) >= words.size * share;
}

/** The question right before a message, with its subject when the question names none: "OK?" */
function questionBefore(spoken: readonly Spoken[], index: number): string {
  const asker = spoken
    .slice(0, index)
    .findLast(({ role, text }) => role === 'user' || (role === 'assistant' && /\S/.test(text)));
  if (asker?.role !== 'assistant') return '';
  const sentences = splitSentences(asker.text);
  const last = sentences.findLastIndex((sentence) => /[?？]["'”’)\]*\s]*$/.test(sentence));
  if (last < 0) return sentences.slice(-2).join(' ');
  const bare = contentOf(sentences[last]!).size < 2;
  return sentences.slice(bare ? Math.max(0, last - 1) : last, last + 1).join(' ');
}

function sentencesOf(summary: Summary): string[] {
  const { background, overview, foreign = '' } = summary;
  return [
    ...[background, overview, foreign].flatMap((text) => splitSentences(text)),
    ...writtenLines(summary),
  ];
}

/** An agreed proposal. */
interface Agreement {
  readonly about: ReadonlySet<string>;
  /** So many of its words have to be in the claimed agreement. */
  readonly least: number;
}

/**
 * What a message agrees to. A bare "yes" is about the question before it; a "yes" with further words is about those, whatever
 * else was asked. Who wishes for something agrees to it, too.
 */
function agreementsIn(answer: string, question: string): Agreement[] {
  const asked = contentOf(question);
  return splitSentences(answer).flatMap((sentence, index, sentences) => {
    const clauses = sentence.split(/;|,? (?:and|but|und|aber|et|mais|y|pero|и|но) |，(?=但|然后)/iu);
    return clauses.flatMap((clause, place): Agreement[] => {
      if (!consents(clause)) return wishes(clause) ? [{ about: contentOf(clause), least: 2 }] : [];
      const own = contentOf(withoutYes(clause));
      // "Yes. Delete it." and "Yes, but wait": what follows a bare yes says what it is about, and may take it back.
      const rest =
        own.size > 0 ? [] : [...clauses.slice(place + 1), ...sentences.slice(index + 1, index + 2)];
      if (rest.some(refuses)) return [];
      const said = new Set([...own, ...rest.flatMap((more) => [...contentOf(more)])]);
      const answers = index === 0 && place === 0 && [...own].every((word) => asked.has(word));
      return [{ about: answers ? new Set([...said, ...asked]) : said, least: 1 }];
    });
  });
}
