import { sayLine } from '../../summary/index.ts';
import {
  type Act,
  asks,
  type Cues,
  contentWords,
  figuresIn,
  findDecisions,
  type LineSection,
  opensDone,
  type Statement,
  sharedWords,
  tellsAnything,
} from '../../text/index.ts';
import { countText } from '../../tokens/index.ts';
import type { Utterance } from './read-turns.ts';

/** What a sentence of the person does. `undefined` for a bare yes: what it takes up is said elsewhere. */
export function actOf(
  text: string,
  { cues, first, noted }: { cues: Cues; first: boolean; noted: boolean },
): Act | undefined {
  const open = !first && cues.leavesOpen.test(text);
  if (asks(text)) return open && cues.promises.test(text) ? 'open' : 'asked';
  if (!first && cues.blocks.test(text)) return 'promise';
  if (open) return cues.promises.test(text) ? 'promise' : 'open';
  if (!first && cues.abandons.test(text)) return 'done';
  if (cues.strict.test(text)) return 'strict';
  if (cues.revises.test(text) || cues.rejects.test(text)) return 'changed';
  // Some languages say in one form that something was done and that it was decided.
  if (cues.reports.test(text) && !cues.unreal.test(text))
    return findDecisions(text).length > 0 ? 'choice' : 'done';
  if (cues.weak.test(text)) return 'weak';
  if (cues.chooses.test(text)) return 'choice';
  if (cues.accepts.test(text)) return contentWords(text).size >= 2 ? 'choice' : undefined;
  if (opensDone(text)) return 'done';
  return noted ? 'told' : 'fact';
}

/** Where a line stands: waiting tasks stand apart from blocked ones, and attempts from results. */
export function sectionFor(act: Act, text: string, cues: Cues): LineSection {
  const section = digestSectionOf(act);
  if (section === 'pending' && cues.blocks.test(text)) return 'blockers';
  return section === 'completed' && cues.abandons.test(text) ? 'dropped' : section;
}

export function digestSectionOf(act: Act): LineSection {
  switch (act) {
    case 'strict':
      return 'standing';
    case 'promise':
    case 'open':
      return 'pending';
    case 'changed':
    case 'choice':
    case 'restated':
    case 'adopted':
    case 'weak':
      return 'decisions';
    case 'done':
      return 'completed';
    default:
      return 'facts';
  }
}

/** Whether a sentence tells anything without those around it: two words with content, or a figure and one. */
export function saysEnough(text: string, words: ReadonlySet<string>): boolean {
  return words.size >= 2 && (text.length >= 12 || figuresIn(text).size > 0 || /\p{Lo}{4}/u.test(text));
}

/** Thanks and the like. "I'll ask tomorrow" is in words of every talk too, and promises something. */
export function isPleasantry(text: string, act: Act): boolean {
  return act !== 'promise' && act !== 'open' && text.length <= LONGEST_PLEASANTRY && !tellsAnything(text);
}

const LONGEST_PLEASANTRY = 40;

/** A word or two belong to what follows them; a sentence that points back belongs to what it points at. */
export function joinShort(statements: readonly Statement[]): string[] {
  const joined: string[] = [];
  let waiting = '';
  for (const { text } of statements) {
    const last = joined.at(-1);
    const pointsBack = (POINTS_BACK.test(text) && contentWords(text).size <= 2) || CORRECTS.test(text);
    if (!waiting && pointsBack && last && !asks(last) && last.length + text.length < 240) {
      joined[joined.length - 1] = `${last} ${text}`;
      continue;
    }
    const whole = waiting ? `${waiting} ${text}` : text;
    waiting = contentWords(whole).size <= 1 && whole.length < 40 && !asks(whole) ? whole : '';
    if (!waiting) joined.push(whole);
  }
  if (!waiting) return joined;
  const last = joined.at(-1);
  if (last === undefined || asks(last)) return [...joined, waiting];
  return [...joined.slice(0, -1), `${last} ${waiting}`];
}

/** The person takes back the sentence before: alone it would be the decision. */
const CORRECTS =
  /^(?:(?:oh|ah|ach|hm+|äh|aber|but|ma|mas|pero|mais)[,.]? )?(?:no,? wait|wait,? no|oh no|or rather|scratch that|nee?,|nee\b|nein,|quatsch|moment,|warte?\b|obwohl|non,? attends|ah non|enfin non|plutôt|no,? espera|mejor dicho|não,? espera|aliás|peraí|anzi|no dai|no,? aspetta|ой|стоп|не,|нет,|хотя|아니|잠깐)(?![\p{L}])|^(?:哦不|啊不|不对|等等|不，|いや、|あ、いや|待って)/iu;

const POINTS_BACK =
  /^(?:that|this|it|they|those|these|das|dies|es|c['’]est|ça|cela|eso|esto|isso|questo|это)(?![\p{L}])|^(?:これ|それ|这|那)/iu;

/** The person names another figure than the one proposed. */
export function counters(answer: string, proposal: string): boolean {
  const named = figuresIn(answer);
  if (named.size === 0) return false;
  const proposed = figuresIn(proposal);
  return proposed.size > 0 && [...named].some((figure) => !proposed.has(figure));
}

const MOST_BARE = 14;

export function accepts(text: string, cues: Cues): boolean {
  return cues.accepts.test(text) && !cues.rejects.test(text);
}

/** A yes without further words: no figure, no "but", no other wish. */
export function isBareAcceptance(text: string, cues: Cues): boolean {
  return (
    accepts(text, cues) &&
    countText(text) <= MOST_BARE &&
    figuresIn(text).size === 0 &&
    !cues.revises.test(text) &&
    !BUT.test(text) &&
    !asks(text)
  );
}

/** "Understood." in so many words, and nothing else. */
export function onlyTakesNote(text: string, cues: Cues): boolean {
  return text.length <= LONGEST_NOTE && cues.takesNote.test(text);
}

const LONGEST_NOTE = 12;

const BUT = /(?<![\p{L}])(?:but|except|aber|mais|pero|mas|ma|но)(?![\p{L}])|但|けど|が、|하지만/iu;

const REASON =
  /^(?:because|since|otherwise|so that|that way|weil|denn|sonst|damit|parce que?|car|sinon|comme ça|porque|si no|así|perché|altrimenti|sennò|così|senão|assim|pois|потому что|иначе|так как|а то)(?![\p{L}])|^(?:因为|否则|不然|なぜなら|そうしないと|왜냐하면|안 그러면)/iu;
const LONGEST_REASON = 120;

/** A decision or a rule with the sentence behind it that says why. */
export function withReason(text: string, { act, next }: { act: Act; next: string | undefined }): string {
  const section = digestSectionOf(act);
  if (next === undefined || (section !== 'decisions' && section !== 'standing')) return text;
  if (!REASON.test(next) || next.length > LONGEST_REASON) return text;
  return sayLine({ text, reason: next.replace(/[.。]$/, '') });
}

/** "this or that?", asked by the agent. */
const ALTERNATIVES =
  /(?<![\p{L}])(?:or|oder|ou|o|oppure|или|либо)(?![\p{L}])|还是|還是|それとも|아니면|(?:랑|이나) .*중/iu;

/** What a plain sentence does as an answer: it picks one of two, or puts something else in the place of a proposal. */
export function replyTo({ statements, text: said }: Utterance, text: string, cues: Cues): Act {
  const last = statements.at(-1)?.text ?? '';
  if (asks(last)) return ALTERNATIVES.test(last) ? 'choice' : 'fact';
  const isAbout = counters(text, said) || sharedWords(contentWords(text), contentWords(last)) > 0;
  return isAbout && !accepts(text, cues) ? 'choice' : 'fact';
}

/** A figure or a name makes a statement worth more. */
export function detail(text: string): number {
  return (
    (/\p{N}/u.test(text) ? 0.3 : 0) + (/(?<=[\p{Ll}\p{N},] )\p{Lu}|[`_/]|\p{Ll}\p{Lu}/u.test(text) ? 0.2 : 0)
  );
}

/** A proposal in the form of a question, as is polite in some languages. */
export const SUGGESTS =
  /^(?:how about|what about|wie wäre)(?!\p{L})|(?:어떨까|어때|어떠세|좋지 않을까)\p{L}*|はどう|どうでしょう|怎么样|如何[？?]/iu;
