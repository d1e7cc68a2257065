/** A longer text has facts in any case. */
const LONGEST = 400;

/** A name inside a sentence, or what is called by a title. */
const NAMED = /[\p{Ll},;:'’] \p{Lu}\p{Ll}+|["“„«「『][^"“”„«»「」『』]{3,}["”»」』]/u;
const COUNTED = /\p{N}/u;

const words = (list: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${list.trim().split(/\s+/).join('|')})(?![\\p{L}\\p{N}])`, 'iu');

const WHEN_OR_HOW_MANY = words(`
  one two three four five six seven eight nine ten last ago yesterday today tonight week weeks weekend month months year years
  monday tuesday wednesday thursday friday saturday sunday
  zwei drei vier fünf sechs sieben acht neun zehn letzte letzten letztes vor gestern heute woche wochen monat monate jahr jahre
  montag dienstag mittwoch donnerstag freitag samstag sonntag
  deux trois quatre cinq dernier dernière hier semaine mois ans année dos tres cuatro cinco ayer hoy semana mes meses año años
`);
const ONESELF = words(
  `i i'm i’m i've i’ve my mine we we're we’re we've we’ve our ich mir mich mein meine wir unser unsere je j'ai j’ai mon ma mes
   nous notre yo mi nosotros nuestro eu meu nós`,
);
/** Scripts without spaces: what stands anywhere. */
const UNSPACED = {
  when: /昨日|今日|昨天|今天|先週|先月|去年|上周|上个月|어제|오늘|지난/u,
  oneself: /私|僕|俺|我|저는|제가|나는|내가|우리/u,
};

/**
 * The share of three kinds of facts that a short text has, in percent: names of people, places and titles; times and counts;
 * statements of the speaker about himself or herself. "That is great!" has the words of many others and none of these.
 */
export function factShare(text: string): number {
  if (text.length > LONGEST) return 100;
  const signs = [
    NAMED.test(text),
    COUNTED.test(text) || WHEN_OR_HOW_MANY.test(text) || UNSPACED.when.test(text),
    ONESELF.test(text) || UNSPACED.oneself.test(text),
  ];
  return Math.round((100 * signs.filter(Boolean).length) / signs.length);
}
