import { splitSentences } from '../language/split-sentences.ts';

/**
 * Sentences that state a choice. Conservative: a choice is named as one ("decided", "settled on", "go with"), or it is
 * contrasted with the rejected option ("use X instead of Y"). The mere word "using" is not a choice.
 */
export function findDecisions(text: string, { byUser = false }: { byUser?: boolean } = {}): string[] {
  if (!(MIGHT.test(text) || (byUser && STANDING_MIGHT.test(text)))) return [];
  const found: string[] = [];
  for (const sentence of splitSentences(text)) {
    if (found.length >= MOST) break;
    if (sentence.length < 8 || sentence.length > LONGEST || OPEN.test(sentence)) continue;
    if (isChoice(sentence) || (byUser && (STANDING.test(sentence) || SHOULD_CONTRAST.test(sentence)))) {
      found.push(sentence);
    }
  }
  return found;
}

const MOST = 12;
const LONGEST = 320;

// One look at the whole text, so that text without any of these words is not split.
const MIGHT =
  /decid|decision|chose|choose|agreed|settled|opted|picked|go(?:ing)? with|stick(?:ing)? (?:with|to)|instead of|rather than|let['’]?s|switch|entschieden|entscheid|beschlossen|geeinigt|statt|décid|convenu|acord|plutôt|decidi|decidid|en lugar|em vez|deciso|决定|採用|采用|決め|決定|にします|改用|решил|выбра/i;

const NAMED = [
  /\b(?:we|i|they|the (?:team|user|customer|client))(?:['’]ve| have|['’]d| had)? (?:all |both |now |already |finally |then )?(?:decided|chose|chosen|agreed|settled|opted|picked)\b/i,
  /\b(?:decided|agreed) (?:to|on|against|that|not)\b|\b(?:settled on|opted (?:for|to|out))\b|^decision\b[^.?]{0,20}:/i,
  /\blet['’]?s (?:just |simply |instead |then |rather )?(?:use|go with|stick (?:with|to)|keep (?:the|it|using|our|both)|switch to|drop|adopt|avoid|not|move to)\b/i,
  /\b(?:i['’]ll|i will|we['’]ll|we will|i['’]m|we['’]re|i am|we are) (?:now |just |therefore )?(?:going to |gonna )?(?:go(?:ing)? with|stick(?:ing)? (?:with|to)|switch(?:ing)? to|adopt(?:ing)?)\b/i,
  /\b(?:final|our|my|the) (?:decision|choice) (?:is|was)\b|\b(?:go|going) with\b.{0,60}\b(?:because|since|as|for)\b/i,
  /\b(?:haben|hat|habe|wir|ich)\b.{0,40}\b(?:entschieden|beschlossen|geeinigt)\b|\bnehmen wir\b|\bwir nehmen\b/i,
  /\b(?:avons|ai|a) (?:décidé|convenu)\b|\b(?:hemos|he|ha) (?:decidido|acordado)\b|\b(?:decidimos|acordamos)\b|\babbiamo deciso\b|\bрешили\b/i,
  /决定|決定し|に決め|と決め(?:ました|た)|を採用|采用|改用|にします。?$/,
];
const CONTRAST =
  /^(?:please |then |also |and |so )*(?:use|prefer|switch|keep|store|write|put|make|do|run|return|throw|call|take|go|replace|verwende|nutze|usar|usa|utilisez?)\b.*\b(?:instead of|rather than|en lugar de|em vez de|au lieu de|plutôt que|statt|anstatt)\b|\b(?:we|i|i['’]ll|we['’]ll|i['’]m|we['’]re) (?:now |will |am |are |have |just )?(?:us(?:e|ed|ing)|ke(?:ep|pt)|stor(?:e|ed|ing)|switch(?:ed|ing)?|replac(?:e|ed|ing)|went|writ(?:e|ing)|wrote|mov(?:e|ed|ing))\b.*\b(?:instead of|rather than)\b/i;
/** What the person says should be is a decision; from another author it is advice. */
const SHOULD_CONTRAST = /\b(?:should|must|has to|have to|need(?:s)? to)\b.*\b(?:instead of|rather than)\b/i;
/** Still a question, a condition or a possibility: nothing was chosen yet. */
const OPEN =
  /^\||[?？]\s*["')\]]*$|^(?:if|should|could|would|can|shall|maybe|perhaps|whether|do|does|did|why|what|how|when|or|unless|you could|we could|one could|i could|another option|alternatively|wenn|falls|soll)\b|\b(?:haven['’]?t|has(?:n['’]?t| not)|have not|not yet|to be|need(?:s)? to be|must be|if we|if you|if i|once we|until we|before we|whether) (?:been )?(?:decided?|chosen|agreed?)\b/i;

/** Standing instructions of the person: they hold until they are taken back. */
const STANDING =
  /^(?:please |and |also |but )?(?:always|never|(?:do not|don['’]t)(?! (?:forget|worry|hesitate|know|think|mind|be ))|only ever|from now on|make sure (?:you|to) (?:always|never))\b.{4,}/i;
const STANDING_MIGHT = /\b(?:always|never|do not|don['’]t|from now on|only ever)\b/i;

function isChoice(sentence: string): boolean {
  return NAMED.some((pattern) => pattern.test(sentence)) || CONTRAST.test(sentence);
}
