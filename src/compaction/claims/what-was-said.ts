import type { Entry, EntryId, Message, Summary } from '../../record/index.ts';
import { isExact } from '../../summary/index.ts';
import { splitSentences } from '../ledger/index.ts';
import { agreementsIn } from './agreements-in.ts';
import { claimsApproval } from './approval-words.ts';
import { contentOf, countShared } from './claim-content.ts';
import { isQuoted } from './is-quoted.ts';
import { isAsked } from './request-words.ts';

/** What the user of a range said, as a judge of what a summary says about them. */
export interface Said {
  /** It is what a user wrote, word for word, give or take words left out. */
  quotes(text: string): boolean;
  /** An older summary says it, and was judged by what it stood for. */
  repeats(text: string): boolean;
  asksFor(text: string, from: readonly EntryId[]): boolean;
  agreesTo(text: string): boolean;
}

/** Of what a request claims, at least so much must have been said; of what was agreed to, more. */
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
    body.kind === 'message' ? [{ id, role: body.role, text: textOf(body) }] : [],
  );
  const users = spoken.filter(({ role }) => role === 'user');
  const older = earlier.flatMap(linesOf);
  return {
    quotes: (text) => users.some((user) => isQuoted(text, user.text)),
    repeats(text) {
      const told = contentOf(text);
      const approval = claimsApproval(text);
      const says = (line: string) =>
        claimsApproval(line) === approval && covers(contentOf(line), told, REPEATED);
      return told.size > 0 && older.some(says);
    },
    asksFor(text, from) {
      const asked = contentOf(text);
      const named = users.filter(({ id }) => from.includes(id));
      return (named.length > 0 ? named : users).some((user) => {
        const heard = splitSentences(user.text).filter((sentence) => isAsked(sentence, text));
        return covers(contentOf(heard.join('\n')), asked, ASKED);
      });
    },
    agreesTo(text) {
      const claimed = contentOf(text);
      const figures = [...claimed].filter(isExact);
      return spoken.some(
        ({ role, text: answer }, index) =>
          role === 'user' &&
          agreementsIn(answer, questionBefore(spoken, index)).some(
            ({ about, least }) =>
              countShared(claimed, about) >= least &&
              covers(about, claimed, AGREED) &&
              figures.every((figure) => about.has(figure)),
          ),
      );
    },
  };
}

/** Whether so large a share of the words is in the others. */
function covers(heard: ReadonlySet<string>, words: ReadonlySet<string>, share: number): boolean {
  return words.size > 0 && countShared(words, heard) >= words.size * share;
}

/** What was asked right before somebody spoke, with what it is about when the question itself says nothing: "OK?" */
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

function linesOf({ background, overview, ...lists }: Summary): string[] {
  const { topics, decisions, completed, pending, blockers, facts } = lists;
  const lines = [topics, decisions, completed, pending, blockers, facts].flat().map(({ text }) => text);
  return [...splitSentences(background), ...splitSentences(overview), ...lines];
}

function textOf({ parts }: Message): string {
  return parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('\n');
}
