import { lineWords } from '../../summary/index.ts';
import { remember, splitSentences } from '../../text/index.ts';

/** The outcome that an answer reports for a request. An answer may say neither: then it simply answers. */
export interface Outcome {
  /** Of a request by its text. */
  leavesOpen(asked: string): boolean;
  saysDone(asked: string): boolean;
  /** It ends in a question, so it is the person's turn. */
  readonly asks: boolean;
}

// Texts are read in lower case, and letters are spelled out: matching without regard to case, or by Unicode's tables, costs
// several times as much, and every answer of a session is read.
const L = '[a-z\\u00df-\\u00ff\\u0430-\\u044f\\u0451]';
const NOT =
  "(?:(?:do|did|does|have|has|had|could|can|will|would|am|was|were|is|are)(?: not|n['’]t)|won['’]t|can(?:no|['’])t|not|never|unable|refuse|decline|fail(?:ed)?)";
const MEANT = '(?! (?:believe|wait|agree|imagine|think|worry|mind|thank|help but|recommend))';

/** Not done, refused, put off or still going on. Said of oneself, or of the work: a bug that "did not" is no refusal. */
const OPEN = new RegExp(
  [
    String.raw`\b(?:i|we)\b(?:['’](?:m|ve|d|ll|re))?(?: \w+){0,2}? ${NOT}\b${MEANT}`,
    String.raw`\b(?:i|we)(?:['’]ll| will| shall|(?: am|['’]m| are|['’]re) (?:going to|about to|still|now \w+ing|waiting|working|looking|starting|trying)| (?:still )?(?:plan|intend|need|have|want|hope) to| need (?:your|access|more)| (?:only )?(?:started|began)\b)(?! be (?:happy|glad|here|around))`,
    String.raw`\b(?:not|n['’]t)(?: yet| fully| completely| quite| all)* (?:done|finished|complete[d]?|possible|ready|implemented|started|working|allowed|permitted|able)\b|\bnot yet\b`,
    String.raw`\bstill (?:to do|to be done|missing|open|pending|in progress|running|needs?|outstanding|fail(?:s|ing)|broken|blocked)\b|\bremains? (?:to be|open|undone)\b|\b(?:is|am|are|was|got|currently|still) blocked\b|\bblocked (?:by|on)\b|\bin progress\b|\bto be (?:done|continued)\b|\bleft to do\b|\bfailed to\b|\b(?:partly|partially|half) (?:done|finished|complete)\b|\bneeds? your (?:approval|input|decision|confirmation|permission)\b`,
    String.raw`^(?:sorry|unfortunately|(?:i['’]m |i am )?afraid|could(?: not|n['’]t)|can(?:no|['’])t|cannot|unable|failed|later|let me|not )|\blater[.!]?$`,
    String.raw`(?<!${L})(?:ich|wir) (?:${L}+ ){0,6}?(?:nicht|kein${L}*)(?!${L})|(?:werde|mache|kann|konnte|habe|schaffe|darf) (?:ich|wir)(?!${L}).*(?:nicht|kein|später|nächst|gleich|morgen|noch)|\bich werde\b|noch nicht|(?:geht|ging|klappt|klappte) (?:leider )?nicht|^leider|\bspäter\b|nicht (?:fertig|möglich|erledigt|gemacht)|fehlgeschlagen|als nächstes`,
    String.raw`\b(?:je|nous) (?:n['’]|ne )${L}+|\bpas (?:encore|fini|possible|terminé|pu)|^malheureusement|^désolé|plus tard|\bje (?:vais|ferai|dois)\b|\ba échoué`,
    String.raw`\bno (?:he|hemos|puedo|pude|pudimos|podemos|se pudo|está|fue|es posible|lo)\b|(?:todavía|aún) no\b|^lo siento|^lamentablemente|más tarde|lo haré|\bvoy a\b|\bnão (?:consegui|posso|pude|fiz|foi|é possível|está)|ainda não|mais tarde|^infelizmente|\bnon (?:ho|posso|è|sono|sono riuscit${L})(?!${L})|non ancora|più tardi|^purtroppo`,
    `(?<!${L})(?:не (?:могу|смог${L}*|удалось|сделал${L}*|буду|готов${L}*|закончен${L}*|получилось|стал${L}*)|(?:ещё|еще|пока) не|позже|сделаю|к сожалению)`,
    '无法|不能|没能|我没|还没|尚未|未能|未完成|没有(?:完成|成功|做|执行|删除|部署|修改)|抱歉|失败了|稍后|接下来|以后再|之后再|我会|我将|不行',
    'できません|できない|できなかった|できませんでした|ていません|てません|しません|まだ|後で|後ほど|これから|次に|予定です|失敗しました|申し訳|すみません',
    '못 ?했|못합|할 수 없|하지 않|않았|아직|나중에|죄송|실패했|하겠습니다|할게요',
  ].join('|'),
);

/** Said to be done. */
const DONE = new RegExp(
  [
    String.raw`\b(?:i|we)(?:['’]ve| have| just| also| now| already)* (?!(?:need|feed|exceed|proceed|succeed|speed|embed)(?!${L}))(?:${L}+ed|made|wrote|rewrote|built|ran|set|put|did|sent|found|took|got|cut|split|read)\b`,
    String.raw`^(?:all )?(?:done|finished|fixed|complete[d]?|ready|works|${L}+ed)\b|\b(?:is|are|was|were|been)(?: now| all| also| already)* (?:done|finished|fixed|ready|live|gone|in place|${L}+ed)\b|\b(?:(?:it|everything|all) (?:now )?works|works (?:again|now|fine))\b|\btests? (?:now )?pass|[✅✔☑]`,
    `(?:ich|wir) hab(?:e|en)(?!${L})|hab(?:e|en) (?:ich|wir)(?!${L})|erledigt|fertig|wurden?(?!${L})|geschafft`,
    "j['’]ai|nous avons|c['’]est fait|terminée?|(?:est|sont) (?:prêt|fait)|a été",
    String.raw`\bh[eo] ${L}+(?:ado|ido|cho|to)(?!${L})|hemos|hecho|listo|terminado|se ha\b|feito|pronto|fatto|concluído`,
    'готово|сделано|сделал|выполнен|исправ|добав|переименов',
    '已|完成了|好了|了[。.]?$',
    'ました|済み|完了',
    '했습니다|완료|됐습니다|되었습니다',
  ].join('|'),
);

const QUESTION = /[?？]["'”’)\]*\s]*$/;
/** A sentence that says no more than whether: whatever was asked is meant. */
const POINTS_BACK =
  /(?<!\p{L})(?:it|that|this|them|these|those|das|es|dies|ça|cela|eso|esto|lo|isso|это|этого)(?!\p{L})|这|那|它|それ|これ|그것|그건/u;
const LONGEST = 500;
/** Of very long answers only the beginning and the end say what became of the work. */
const MOST = 4000;

/** Reads what an answer says became of the work. In doubt it is left open. */
export function readOutcome(answer: string): Outcome {
  const text = answer.length > MOST ? `${answer.slice(0, MOST / 2)}\n${answer.slice(-MOST / 2)}` : answer;
  const clauses = splitSentences(text).flatMap(clausesOf);
  const open = clauses.filter((clause) => OPEN.test(clause)).map(toClaim);
  let done: Claim[] | undefined;
  const finished = () => {
    done ??= clauses.filter((clause) => DONE.test(clause) && !OPEN.test(clause)).map(toClaim);
    return done;
  };
  return {
    asks: QUESTION.test(text),
    leavesOpen: (asked) =>
      open.length > 0 && (open.some((claim) => isAbout(claim, asked)) || finished().length === 0),
    saysDone: (asked) => finished().some((claim) => isAbout(claim, asked)),
  };
}

/** What a clause says something about: whatever was asked, or what its words name. */
type Claim = 'whatever was asked' | ReadonlySet<string>;

function toClaim(clause: string): Claim {
  return POINTS_BACK.test(clause) || saysOnlyWhether(clause) ? 'whatever was asked' : contentWords(clause);
}

function isAbout(claim: Claim, asked: string): boolean {
  return claim === 'whatever was asked' || shares(claim, contentWords(asked));
}

/** "I renamed it, but could not push": one thing was done, the other was not. */
function clausesOf(sentence: string): string[] {
  if (sentence.length > LONGEST) return [];
  return sentence
    .toLowerCase()
    .split(/;|,? (?:but|however|although|though|aber|mais|pero|mas|ma|но) |[，、]?(?:但是|但|不过|しかし)/u);
}

function saysOnlyWhether(clause: string): boolean {
  const rest = contentWords(clause.replace(OPEN, ' ').replace(DONE, ' '));
  return [...rest].every((word) => HAN.test(word)) && rest.size <= 3;
}

const HAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;
const EMPTY = new Set(
  'i you we me us my your our they them he she please now then also can could would will shall should do did does not no so just from at by as if or but when what which who how why where there here any some yet still sorry help'.split(
    ' ',
  ),
);

/** An open request is looked at again with every answer. */
const LATELY = 200;

/** What a text is about: its words without those that stand in any text. */
const contentWords: (text: string) => ReadonlySet<string> = remember(
  (text) => new Set([...lineWords(text)].filter((word) => !EMPTY.has(word))),
  LATELY,
);

/** One word in common, or two where a word is more than one character. */
function shares(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const common = a.intersection(b);
  return common.size >= 2 || [...common].some((word) => !HAN.test(word));
}
