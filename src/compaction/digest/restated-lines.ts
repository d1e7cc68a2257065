import {
  type Act,
  asks,
  type Cues,
  contentWords,
  createLine,
  type Line,
  type LineSection,
  opensDone,
  sharedWords,
  tellingWords,
} from '../../text/index.ts';
import { countText } from '../../tokens/index.ts';
import type { DigestTurn, Utterance } from './read-turns.ts';
import { singledOut } from './settle-open.ts';
import { counters, saysEnough } from './talk-acts.ts';

/** The worth of a restated line, measured like the values of other lines of talk. */
export const RESTATED = 2.8;
const RESTATED_CHANGE = 3.3;
const RESTATED_PROMISE = 3.6;

/** The proposal, what the person said to it, and what the agent made of that: the unit of talk. */
export interface Exchange {
  readonly turn: DigestTurn;
  readonly user: Utterance;
  readonly before?: Utterance;
  readonly after?: Utterance;
  readonly next?: Utterance;
}

/** A word, and not only a figure. */
const NAMES = /(?!noted)\b\p{L}{3}|\p{Lo}/u;

/** The agent says again, shortly, what the person decided: the best line there is, in any language. */
export function restatements({ turn, user, before, after }: Exchange, cues: Cues): Line[] {
  if (!after) return [];
  const said = user.statements.filter(({ text }) => !asks(text)).map(({ text }) => text);
  if (said.length === 0) return [];
  const wordsSaid = new Set(said.flatMap((sentence) => [...contentWords(sentence)]));
  let saidOrProposed: ReadonlySet<string> | undefined;
  const isOpen = (text: string) => cues.leavesOpen.test(text) && cues.promises.test(text);
  const changes = () =>
    said.some((sentence) => cues.revises.test(sentence) || cues.rejects.test(sentence)) ||
    (before !== undefined && counters(user.text, before.text));
  return after.statements.slice(0, 2).flatMap(({ text }): Line[] => {
    // Most sentences are none by their length or their words; what they do is looked at last.
    if (asks(text) || countText(text) > 36) return [];
    const words = contentWords(text);
    const shared = sharedWords(words, wordsSaid);
    if (shared === 0 || !saysEnough(text, words) || !NAMES.test(tellingWords(text).join(' '))) return [];
    if (opensDone(text) || (cues.reports.test(text) && !cues.unreal.test(text)) || cues.proposes.test(text))
      return [];
    const both = () => (saidOrProposed ??= wordsSaid.union(contentWords(before?.text ?? '')));
    const clause = contentWords(text.split(/[,;:]/)[0]!);
    const isSaidAgain =
      shared * 3 >= words.size ||
      sharedWords(words, both()) * 3 >= words.size ||
      (clause.size > 0 && sharedWords(clause, clause.size > 1 ? both() : wordsSaid) * 2 >= clause.size);
    if (!isSaidAgain) return [];
    const isChange = changes();
    const named = `${user.text} ${before?.text ?? ''}`.toLowerCase();
    const namesAnother = singledOut(text).some((name) => !named.includes(name));
    // Of two words one is in any long message: "I follow the linter." decides nothing where a linter is named.
    const isOwn = !isChange && words.size === 2 && sharedWords(words, both()) < 2;
    if (namesAnother || isOwn) return [];
    const promises = isOpen(text) || (shared >= 2 && said.some(isOpen));
    const act: Act = promises ? 'promise' : isChange ? 'changed' : 'restated';
    const section: LineSection = promises ? 'pending' : cues.strict.test(text) ? 'standing' : 'decisions';
    return [
      createLine({
        text,
        from: [after.entry],
        by: 'agent',
        act,
        section,
        value: promises ? RESTATED_PROMISE : isChange ? RESTATED_CHANGE : RESTATED,
        place: after.place,
        turn: turn.index,
      }),
    ];
  });
}
