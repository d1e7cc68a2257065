import { letterPattern } from '../letter-pattern.ts';
import { hasFigures, isEmpty, withDigits } from './content-words.ts';

/** A figure inside a name, as in `part-2.ts`, measures nothing. */
const MEASURED =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{N}_/.#-])(?:(\p{N}+)\.? ?(?:[/–-]|and|to|und|bis|et|au|y|al|e|a|и|по) ?)?(\p{N}+(?:[.,:]\p{N}+)*)(?:\.?\s+|-)?(?:(?:of|de|di|von|the|los|las) )?(%|時間|小时|分钟|か月|个月|시간|개월|주일|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\p{L}+)/gu;

/** By unit: the figures that a line names, in their order. Of "11. and 12. May", both. */
export function measuresIn(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  if (!hasFigures(text)) return found;
  const digits = withDigits(text).replace(MONTH_FIRST, '$2 $1');
  for (const [, from, figure, unit] of digits.matchAll(MEASURED)) {
    const isDay = MONTH.test(unit!);
    if (isEmpty(unit!) && !isDay && !COMMON.test(unit!)) continue;
    const name = isDay ? DATE : unit!.replace(/(?:es|s|n|en)$/, '');
    const figures = found.get(name) ?? new Set();
    for (const one of [from, figure]) {
      if (one === undefined) continue;
      const said = isDay ? `${one} ${unit!.slice(0, 3)}` : one;
      figures.delete(said);
      figures.add(said);
    }
    found.set(name, figures);
  }
  return found;
}

export const DATE = 'date';
/** "June 3rd" is 3 June. */
const MONTH_FIRST = letterPattern(
  String.raw`(?<!\p{L})(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?) (\d{1,2})(?:st|nd|rd|th)?(?![\p{N}:.])`,
  'gu',
);
export const MONTH = letterPattern(
  String.raw`^(?:jan\p{L}*|feb\p{L}*|fév\p{L}*|ene\p{L}*|gen\p{L}*|mar\p{L}*|mär\p{L}*|apr\p{L}*|avr\p{L}*|abr\p{L}*|ma[iyg]\p{L}*|jun\p{L}*|juin|giu\p{L}*|jul\p{L}*|juil\p{L}*|lug\p{L}*|aug\p{L}*|août|ago\p{L}*|sep\p{L}*|set\p{L}*|o[kct]t\p{L}*|out\p{L}*|nov\p{L}*|de[zc]\p{L}*|déc\p{L}*|dic\p{L}*|янв\p{L}*|фев\p{L}*|март\p{L}*|апр\p{L}*|ма[йя]|июн\p{L}*|июл\p{L}*|авг\p{L}*|сен\p{L}*|окт\p{L}*|ноя\p{L}*|дек\p{L}*)$`,
);

/** Units that measure everything say nothing about the measure. */
export const COMMON = letterPattern(
  String.raw`^(?:%|s|sec|second|sekund|segundo|seconde|min|minut|minuto|minute|h|hour|hora|stund|heur|day|dia|día|tag|jour|week|woch|semana|semain|month|monat|mes|moi|year|jahr|año|an|eur|euro|dollar|ms|k|mb|gb|uhr|недел\p{L}*|дн\p{L}*|час\p{L}*|месяц\p{L}*|рубл\p{L}*|원|명|시|시간|분|초|주|주일|개월|년|월|일|块|元|周|週|円|日|時間|分|秒|月|年|天|小时|分钟|date)$`,
);
