import {
  COMMON,
  contentWords,
  hasFigures,
  isEmpty,
  letterPattern,
  MONTH,
  remember,
} from '../../text/index.ts';

// A figure behind a noun is the name of one of many ("worker 7", "issue 12"); a figure before a noun measures ("3 retries").
// "Worker 7 listens" and "allow 3 retries" look alike, so the word in front decides: a word that is no verb there is a noun.
// In doubt it is a name, because a stale decision beside its successor does less harm than a lost one.

/** The word in front of a figure, with what stands in front of that; a mark that numbers things; the word behind. */
const FIGURE = letterPattern(
  String.raw`(?:([\p{L}'’]+)\s+)?([\p{L}_-]*[\p{L}_])(?:\s|(?<![A-Za-z\u00c0-\u04ff]))(#|№|(?:no|nr|n[º°]|núm|num)\.?\s)?(\p{N}+(?:[.:]\p{N}+)*)(%|號|号|番(?:目)?|호)?(?=[\s-]?([\p{L}%]*))`,
  'giu',
);
/** Names of things that are numbered: also where their ending is a verb's. */
const NUMBERED = letterPattern(
  String.raw`^(?:\p{L}*(?:worker|server|container|cluster|router|printer|register|chapter|layer|number|order|rechner|speicher|fenster|zimmer|knoten|faden|aufgabe|teil|schritt|abschnitt|haus|raum|halle|linie|maschine|kunde|filiale|auftrag|ticket|posten|zähler|kanal)|(?:work|serv|contain|clust|print|chapt|regist)ers|(?:node|shard|port|host|pod|job|task|issue|bug|step|phase|stage|part|line|lane|room|floor|gate|store|screen|car|bus|process|class|address|queue|topic|branch|batch|team|group|tenant|customer|client|user|account|site|zone|region|rack|slot|channel|version|release|sprint|milestone|section|page|table|case|test|rule|option|tier|level|unit|machine|device|sensor|house|track|route|flight|train)s?|noeuds?|nœuds?|étapes?|tâches?|serveurs?|salles?|lignes?|chapitres?|clients?|machines?|files?|trabajador|servidor(?:es)?|nodos?|nós?|tareas?|tarefas?|pasos?|passos?|salas?|líneas?|linhas?|puertos?|portas?|clientes?|colas?|filas?|lavoratore|nodi|nodo|compit[oi]|stanz[ae]|line[ae]|porta|cod[ae]|пакет|билет|объект|кабинет|проект|воркер|сервер|узел|порт|задач[аеиу]|шаг|этап|очередь|клиент|линия|номер|комнат[аеу]|участок)$`,
  'iu',
);
/** What takes an amount, or stands before one and names nothing. */
const TAKES_AMOUNT = letterPattern(
  String.raw`^(?:use|allow|keep|wait|retry|set|make|take|send|try|run|give|start|add|need|want|have|had|got|made|took|gave|kept|ran|limit|cap|raise|lower|cut|hold|show|accept|reserve|buy|book|invite|hire|grant|try|do|go|pick|choose|pay|spend|leave|store|poll|plan|build|last|next|past|exactly|around|than|least|every|another|additional|only|say|default|\p{L}+mente?|\p{L}{3,}ly|nur|je|genau|etwa|alle|mindestens|höchstens|maximal|letzte\p{L}*|erste\p{L}*|nächste\p{L}*|nimm|nehmt|behalte|warte|mach|gib|setze?|garde|attends?|mets|prends|environ|chaque|au|derni\p{L}+|premi\p{L}+|prochain\p{L}*|moins|usa|espera|guarda|pon|haz|deja|cada|menos|más|últim\p{L}+|primer\p{L}*|próxim\p{L}+|usamos|faz|mais|ultim\p{L}+|prossim\p{L}+|ogni|meno|più|circa|aspetta|tieni|metti|fai|последн\p{L}+|перв\p{L}+|кажд\p{L}+|около|максимум|минимум|менее|более|хотим|нужн\p{L}+|надо)$`,
  'iu',
);
const LATIN_VERB = /(?:ar|er|ir|re|en|ons|ez|[aeiáéí]mos|iamo|ed|[^sui]s)$/u;
const RUSSIAN_VERB = /(?:ть|ти|[еиё]м|[еи]т|[юуая]т|л[аио]?|й|йте)$/u;
/** A person with an action follows, or an action: the next word is a verb. */
const DOER = letterPattern(
  String.raw`^(?:we|i|you|they|to|should|must|can|will|shall|would|could|may|please|and|wir|ich|sie|man|zu|soll\p{L}*|muss|müssen|darf|dürfen|kann|können|bitte|und|on|nous|je|pour|de|doit|faut|et|nosotros|se|para|debe\p{L}*|hay|que|y|nós|deve\p{L}*|e|noi|si|per|мы|я|надо|нужно|и)$`,
  'iu',
);
const GERMAN =
  /(?<!\p{L})(?:der|die|das|den|dem|und|wird|wir|auf|mit|für|nicht|ein|eine|hat|bekommt|nutzt)(?!\p{L})/iu;
const WEEKDAY = letterPattern(
  `^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|segunda|terça|quarta|quinta|sexta|luned[iì]|marted[iì]|mercoled[iì]|gioved[iì]|venerd[iì]|sabato|domenica|понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье)s?$`,
);
/** "12号工人", "12호 서버": the thing follows its number. */
const ORDINAL =
  /(\p{N}+)(?:号|號|番(?!目)|호)の?\s?([\p{Script=Han}\p{Script=Katakana}ー\p{Script=Hangul}]{2})/gu;
/** Counts, in scripts without spaces. */
const COUNTER =
  /^(?:[個个次回秒分时時天日周週月年名位人条條张張件台项項份页頁篇本枚つ歳度倍元円块箇行字级級种種组組家所点點层層万千百]|か月|ヶ月|小时|[회번개초분일주달년명원건대장권층배]|시간|개월|퍼센트)/u;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A line is compared with many others. */
const LATELY = 500;

/** By noun: the figures that name one of many such things in a text. */
const labelsIn: (text: string) => ReadonlyMap<string, ReadonlySet<string>> = remember((text) => {
  const found = new Map<string, Set<string>>();
  if (!hasFigures(text)) return found;
  const add = (noun: string, figure: string) => {
    for (const key of keysOf(noun)) found.set(key, (found.get(key) ?? new Set()).add(figure));
  };
  for (const match of text.matchAll(FIGURE)) if (isLabel(match, text)) add(match[2]!, match[4]!);
  for (const [, figure, noun] of text.matchAll(ORDINAL)) add(noun!, figure!);
  return found;
}, LATELY);

function isLabel([, before = '', word, mark, , ordinal, behind]: RegExpMatchArray, text: string): boolean {
  if (mark || (ordinal && ordinal !== '%')) return true;
  const small = word!.toLowerCase();
  if (ordinal === '%' || isUnit(behind!) || isEmpty(small) || TAKES_AMOUNT.test(small)) return false;
  if (MONTH.test(small) || WEEKDAY.test(small)) return false;
  if (SPACELESS.test(word!) || NUMBERED.test(small)) return true;
  if (before !== '' && GERMAN.test(text)) return /^\p{Lu}/u.test(word!);
  if (behind === '' || isEmpty(behind!.toLowerCase())) return true;
  return !DOER.test(before) && !(/^\p{Script=Cyrillic}/u.test(small) ? RUSSIAN_VERB : LATIN_VERB).test(small);
}

/** Measures everything, or counts in a script without spaces. */
function isUnit(word: string): boolean {
  const small = word.toLowerCase().replace(/(?<=\p{Script=Latin}{3})(?:es|s|n|en)$/u, '');
  return COMMON.test(small) || TIMES.test(small) || COUNTER.test(word) || MONTH.test(word.toLowerCase());
}

const TIMES = /^(?:%|time|mal|fois|vec|vez|volt[ae]|раза?)$/u;

/** The last signs of a run without spaces are its noun. */
function keysOf(noun: string): Iterable<string> {
  const last = /(?:[\p{Script=Katakana}ー]+|\p{Script=Han}{1,2})$/u.exec(noun)?.[0];
  return last ? [last] : contentWords(noun);
}

/** Each names one of many things by its figure, and none is named by both: "worker 7" and "worker 32" are two. */
export function nameTwoThings(text: string, other: string): boolean {
  const labels = labelsIn(text);
  if (labels.size === 0) return false;
  const others = labelsIn(other);
  const shared = [...labels].filter(([noun]) => others.has(noun));
  return shared.length > 0 && shared.every(([noun, figures]) => figures.isDisjointFrom(others.get(noun)!));
}
