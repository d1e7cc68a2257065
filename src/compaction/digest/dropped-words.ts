import { letterPattern, tellsAnything } from '../../text/index.ts';
import { contentWords } from './language/content-words.ts';
import type { Line } from './lines.ts';

/** Gives something up, in small letters: the words behind it name what. */
const DROPS = letterPattern(
  String.raw`(?<![\p{L}])(?:drop(?:ped)?|(?:get )?rid of|no more|remove|without|instead of|rather than|not|weg mit|statt|kein(?:e|en)?|plus de|au lieu de|abandonn\p{L}+|à la place de|plutôt que|descartad[oa]s? (?:el|la|los|las)|en vez de|en lugar de|nada de|em vez de|sem|invece di|niente|вместо|убира\p{L}+|без)(?![\p{L}])|不用|取消|放弃|去掉|而不是`,
);
/** The words before it do: "the mill is out", "Kafkaじゃなくて". */
const IS_DROPPED = letterPattern(
  String.raw`(?:['’]s|(?<![\p{L}])(?:is|are)) (?:out|off|off the table|dropped|gone)(?=[.,;:!]|$| then)|(?<![\p{L}])(?:ist|sind) (?:raus|gestrichen|verworfen|vom tisch)(?![\p{L}])|(?<![\p{L}])(?:fällt|fallen) (?:weg|raus|aus)(?![\p{L}])|(?<![\p{L}])(?:est|sont) (?:exclue?s?|écartée?s?|abandonnée?s?)(?![\p{L}])|(?<![\p{L}])(?:(?:queda|quedan|está|están) )?(?:descartad[oa]s?|fuera)(?=[.,;:!]|$)|(?<![\p{L}])(?:está|estão|fica|ficam) (?:fora|descartad[oa]s?)(?![\p{L}])|(?<![\p{L}])(?:è|sono) (?:fuori|esclus[oaie]|scartat[oaie])(?![\p{L}])|(?<![\p{L}])(?:отпада\p{L}+|отменя\p{L}+|не подходит)(?![\p{L}])|(?:は|を)?やめ|は廃止|ではなく|じゃなくて|の?代わりに| ?말고| ?대신`,
);

const REACH = 40;
const NONE: ReadonlySet<string> = new Set();

/** Words of what a line gives up: the names right behind "drop" or "instead of", or those before "is out". */
export function droppedWords({ by, act }: Line, small: string): ReadonlySet<string> {
  if (by !== 'user' && act !== 'changed' && act !== 'restated') return NONE;
  const dropped = IS_DROPPED.exec(small);
  if (dropped) return new Set(namesIn(small.slice(0, dropped.index).slice(-REACH)).slice(-MOST));
  const match = DROPS.exec(small);
  if (!match) return NONE;
  return new Set(namesIn(small.slice(match.index + match[0].length).slice(0, REACH)).slice(0, MOST));
}

const MOST = 2;

function namesIn(text: string): string[] {
  return [...contentWords(text)].filter((word) => word.length > 3 && tellsAnything(word));
}
