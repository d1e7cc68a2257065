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
  'sunday|sonntag|dimanche|domingo|日曜日?|星期日|星期天',
  'monday|montag|lundi|lunes|月曜日?|星期一',
  'tuesday|dienstag|mardi|martes|火曜日?|星期二',
  'wednesday|mittwoch|mercredi|miércoles|水曜日?|星期三',
  'thursday|donnerstag|jeudi|jueves|木曜日?|星期四',
  'friday|freitag|vendredi|viernes|金曜日?|星期五',
  'saturday|samstag|sonnabend|samedi|sábado|土曜日?|星期六',
];

export const ANY_MONTH = longestFirst(MONTHS);
export const ANY_WEEKDAY = longestFirst(WEEKDAYS);

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
