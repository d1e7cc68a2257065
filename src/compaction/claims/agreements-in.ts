import { splitSentences } from '../ledger/index.ts';
import { consents, refuses, wishes, withoutYes } from './approval-words.ts';
import { contentOf } from './claim-content.ts';

/** An agreed proposal. */
export interface Agreement {
  readonly about: ReadonlySet<string>;
  /** So many of its words have to be in the claimed agreement. */
  readonly least: number;
}

/**
 * What a message agrees to. A bare "yes" is about the question before it; a "yes" with further words is about those, whatever
 * else was asked. Who wishes for something agrees to it, too.
 */
export function agreementsIn(answer: string, question: string): Agreement[] {
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
