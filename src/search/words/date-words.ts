/** The months as some languages call them, January first; English ones by their first three letters too. */
const MONTHS: readonly string[] = [
  'january|jan|januar|jänner|janvier|enero|gennaio|janeiro',
  'february|feb|februar|février|fevrier|febrero|febbraio|fevereiro',
  'march|mar|märz|maerz|mars|marzo|março',
  'april|apr|avril|abril|aprile',
  'may|mai|mayo|maggio|maio',
  'june|jun|juni|juin|junio|giugno|junho',
  'july|jul|juli|juillet|julio|luglio|julho',
  'august|aug|août|aout|agosto',
  'september|sept|sep|septembre|septiembre|settembre|setembro',
  'october|oct|oktober|okt|octobre|octubre|ottobre|outubro',
  'november|nov|novembre|noviembre|novembro',
  'december|dec|dezember|dez|décembre|diciembre|dicembre|dezembro',
];

const WEEKDAYS: readonly string[] = [
  'sunday|sonntag|dimanche|domingo|domenica|日曜日?|星期[日天]|[周週][日天]|礼拜[日天]|禮拜[日天]|일요일',
  'monday|montag|lundi|lunes|lunedì|月曜日?|星期一|[周週]一|礼拜一|禮拜一|월요일',
  'tuesday|dienstag|mardi|martes|martedì|火曜日?|星期二|[周週]二|礼拜二|禮拜二|화요일',
  'wednesday|mittwoch|mercredi|miércoles|mercoledì|水曜日?|星期三|[周週]三|礼拜三|禮拜三|수요일',
  'thursday|donnerstag|jeudi|jueves|giovedì|木曜日?|星期四|[周週]四|礼拜四|禮拜四|목요일',
  'friday|freitag|vendredi|viernes|venerdì|金曜日?|星期五|[周週]五|礼拜五|禮拜五|금요일',
  'saturday|samstag|sonnabend|samedi|sábado|sabato|土曜日?|星期六|[周週]六|礼拜六|禮拜六|토요일',
];

export const ANY_MONTH = longestFirst(MONTHS);
export const ANY_WEEKDAY = longestFirst(WEEKDAYS);

/** One to twelve: larger counts are written in digits. */
const COUNTS: readonly string[] = [
  'one|an?|eine[mnr]|一',
  'two|zwei|二|两|兩',
  'three|drei|三',
  'four|vier|四',
  'five|fünf|五',
  'six|sechs|六',
  'seven|sieben|七',
  'eight|acht|八',
  'nine|neun|九',
  'ten|zehn|十',
  'eleven|elf|十一',
  'twelve|zwölf|十二',
];
export const ANY_COUNT = `\\d{1,3}|${longestFirst(COUNTS)}`;

export function countOfWord(word: string): number {
  return /^\d/.test(word) ? Number(word) : placeOf(word, COUNTS) + 1;
}

/** Counted from 0. */
export function monthOf(word: string): number {
  return placeOf(word, MONTHS);
}

/** Sunday is 0. */
export function weekdayOf(word: string): number {
  return placeOf(word, WEEKDAYS);
}

function placeOf(word: string, lists: readonly string[]): number {
  return lists.findIndex((list) => new RegExp(`^(?:${list})$`, 'iu').test(word));
}

function longestFirst(lists: readonly string[]): string {
  return lists
    .flatMap((list) => list.split('|'))
    .sort((a, b) => b.length - a.length)
    .join('|');
}
