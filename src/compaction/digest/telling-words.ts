import { hashWord } from './word-hash.ts';

/** Opens a sentence with little more than a greeting. */
export const GREETS = 1;
/** How agents announce what they are about to do; what they did is in the calls. */
export const ANNOUNCES = 2;
export const SPEAKS_OF_SELF = 4;
/** Places something in time. */
export const SAYS_WHEN = 8;
/** Makes a sentence a rule. */
export const RULES = 16;
/** How agents say what became of the work. */
export const SAYS_OUTCOME = 32;

const LISTS: readonly (readonly [meaning: number, words: string])[] = [
  [
    GREETS,
    `wow hey hi hello thanks thank cool awesome great nice yeah yep sure oh haha bye sounds congrats congratulations glad
    absolutely totally definitely perfect excellent amazing lovely okay ok welcome yay hehe lol aww alright sorry hallo
    danke super toll merci bonjour salut gracias hola obrigado obrigada olá ciao grazie`,
  ],
  [ANNOUNCES, `let now i'll next first okay alright good perfect great looking checking running`],
  [
    SPEAKS_OF_SELF,
    `i i'm i've i'll i'd we we're we've we'll my our me us ich wir mein unser je j'ai nous mon yo nosotros mi eu nós meu
    io noi mio ik wij mijn`,
  ],
  [
    SAYS_WHEN,
    `yesterday today tomorrow tonight last next ago week weeks weekend month months year years since until monday tuesday
    wednesday thursday friday saturday sunday january february march april may june july august september october
    november december morning evening summer winter spring autumn deadline gestern heute morgen hier aujourd'hui demain
    ayer hoy mañana ontem hoje amanhã ieri oggi domani`,
  ],
  [
    RULES,
    `must never always don't only required require important cannot can't shouldn't mustn't prefer avoid ensure deadline
    budget limit nie niemals immer muss müssen jamais toujours doit nunca siempre debe sempre deve mai`,
  ],
  [
    SAYS_OUTCOME,
    `added fixed changed created updated removed implemented renamed moved replaced deleted confirmed verified found
    resolved pushed committed deployed merged installed reverted passes passed fails failed works broke broken because
    caused root`,
  ],
];

// Made on first use: most processes that load this make no digest.
let meanings: ReadonlyMap<number, number> | undefined;

/** What a word tells about its sentence, as bits; one lookup, because every word of a session is asked. */
export function meaningOf(hash: number): number {
  meanings ??= readMeanings();
  return meanings.get(hash) ?? 0;
}

function readMeanings(): Map<number, number> {
  const table = new Map<number, number>();
  for (const [meaning, words] of LISTS) {
    for (const word of words.split(/\s+/)) {
      const hash = hashWord(word);
      table.set(hash, (table.get(hash) ?? 0) | meaning);
    }
  }
  return table;
}
