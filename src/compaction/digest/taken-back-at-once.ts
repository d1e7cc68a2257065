import {
  type Act,
  asks,
  type Cues,
  type Line,
  type LineSection,
  letterPattern,
  sharedWords,
} from '../../text/index.ts';
import type { DigestTurn } from './read-turns.ts';

/** The person thinks again about what they said last: in small letters, at the beginning of what they say next. */
const THINKS_AGAIN = letterPattern(
  String.raw`^[\s"'“¡¿>*-]*(?:(?:hm+|oh|ah|ach|ok(?:ay)?|sorry|hey|ой|хм+|あ|啊|아)[\s,.;:!…、，-]+)?(?:(?:actually|wait|hold on|hang on|hm+)[,.!]? (?:no|scratch that|not)|no,? wait|stop|scratch that|on second thoughts?|i changed my mind|(?:moment|warte?|halt|stopp?)[,.!]? (?:nein|nee|doch nicht)|(?:doch nicht|kommando zurück|stopp|halt)(?=[,.!])|nein,? (?:warte|moment)|(?:attends|en fait)[,.!]? non|non,? attends|stop(?=[,.!])|finalement,? non|(?:espera|en realidad|mejor)[,.!]? no|no,? espera|me lo he pensado|(?:espera|peraí|na verdade)[,.!]? não|não,? (?:espera|peraí)|mudei de ideia|(?:aspetta|in realtà|anzi)[,.!]? no|no,? aspetta|ci ho ripensato|стоп|(?:подожди(?:те)?|погоди|хотя)[,.!]? нет|нет,? (?:подожди|погоди)|я передумал\p{L}*|아니,? 잠깐만?|잠깐만?,? 아니)(?![\p{L}])|^(?:いや、?やっぱり|やっぱり(?:なし|やめ)|待って、?やっぱり|等等，?不|不对，|还是算了)`,
);
const KEPT = new Set<Act>(['carried', 'strict', 'promise', 'open']);
const SETTLED = new Set<LineSection>(['decisions', 'facts']);

/**
 * What was settled a turn ago, where the person's next words take it back ("Actually no."). Behind a question or a proposal
 * of the agent they answer that. Of several lines it is those that share a word with the new message, if any does.
 */
export function takenBackAtOnce(
  lines: readonly Line[],
  turns: readonly DigestTurn[],
  cues: Cues,
): ReadonlySet<Line> {
  const gone = new Set<Line>();
  for (const [at, turn] of turns.entries()) {
    const { user } = turn;
    const before = turns[at - 1];
    if (!user || !before || !THINKS_AGAIN.test(user.text.slice(0, 80).toLowerCase())) continue;
    const answer = before.agent.at(-1)?.statements ?? [];
    if (before.worked || answer.some(({ text }) => asks(text) || cues.proposes.test(text))) continue;
    const settled = lines.filter(
      ({ turn, section, act }) => turn === before.index && SETTLED.has(section) && !KEPT.has(act),
    );
    const words = new Set(lines.flatMap((line) => (line.turn === turn.index ? [...line.words] : [])));
    const named = settled.filter((line) => sharedWords(line.words, words) > 0);
    for (const line of named.length > 0 ? named : settled) gone.add(line);
  }
  return gone;
}
