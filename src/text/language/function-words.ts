import { hashWord, hashWords } from './word-hash.ts';

/**
 * Words that a telegram leaves out: articles, forms of "be" and "have", fillers, and who is speaking. Negations,
 * "should", "could", "if", "only", prepositions and "she" stay, because without them a line says something else.
 */
const LISTS: Readonly<Record<string, string>> = {
  en: `a an the is are was were am be been being do does did have has had having just really very so too also
    actually totally truly super kinda definitely quite some such that this these those it its there here of to and then
    i i'm i've i'll i'd we we're we've we'll we'd it's that's there's he's she's they're you're you've you'll you'd let's what's who's
    where's how's here's you my your our me us myself yourself basically literally simply certainly obviously please`,
  de: `der die das den dem des ein eine einen einem einer eines ist sind war waren bin bist sein gewesen habe hat haben
    hatte hatten wird werden wurde wurden ich wir du ihr sie es mir mich uns dir dich mein meine dein deine unser unsere
    und auch so sehr ja doch mal halt eben dass diese dieser dieses da hier dann zu bitte ganz eigentlich einfach`,
  fr: `le la les l' un une des du de d' est sont était étaient suis sommes être été ai as a avons avez ont avait je j'ai
    j' nous tu vous il elle on ce cet cette ces c'est ça cela me moi mon ma mes ton ta tes notre nos votre vos et aussi
    très donc alors que qu' y en là ici s'il plaît`,
  es: `el la los las un una unos unas es son era eran soy somos fue fueron ser sido estoy está están he ha hemos han había
    yo nosotros tú usted ustedes me nos te mi mis tu tus nuestro nuestra su y también muy pues entonces que lo le se esto
    esta este estos estas eso esa ese aquí allí de del favor`,
  pt: `o a os as um uma uns umas é são era eram sou somos foi foram ser sido estou está estão tenho tem temos têm tinha eu
    nós você vocês me nos te meu minha meus minhas seu sua nosso nossa e também muito então que isso isto este esta esse
    essa aqui ali de do da dos das favor`,
  it: `il lo la i gli le un uno una è sono era erano sei siamo essere stato ho ha abbiamo hanno aveva io noi tu voi mi ci ti
    mio mia miei tuo tua nostro nostra e anche molto poi allora che questo questa questi quello quella qui di del della
    dei delle prego favore`,
  nl: `de het een is zijn was waren ben bent geweest heb heeft hebben had hadden wordt worden werd ik wij we jij je u ons
    mij me mijn jouw jullie onze en ook heel dus dan dat die dit deze er hier daar te gewoon graag`,
};

let hashed: ReadonlyMap<string, ReadonlySet<number>> | undefined;

function hashedLists(): ReadonlyMap<string, ReadonlySet<number>> {
  hashed ??= new Map(Object.entries(LISTS).map(([language, words]) => [language, hashWords(words)]));
  return hashed;
}

/** This many different function words prove a language; "on" and "as" alone are French and English. */
const PROOF = 6;

/**
 * The list of the language that the sample is written in. One list at a time, because one language's article is another
 * one's noun; none of them when no language stands out, as in a telegram.
 */
export function functionWords(sample: string): ReadonlySet<number> {
  const hashes = (sample.match(/\p{L}[\p{L}'’]*/gu) ?? []).map(hashWord);
  const lists = hashedLists();
  const hits = [...lists.values()].map((list) => {
    const found = hashes.filter((hash) => list.has(hash));
    return { list, count: found.length, distinct: new Set(found).size };
  });
  const best = hits.reduce((most, hit) => (hit.count > most.count ? hit : most));
  const isEnglish = best.list === lists.get('en');
  return best.count > 0 && (isEnglish || best.distinct >= PROOF) ? best.list : new Set();
}

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

const TELLING_WORDS_LISTS: readonly (readonly [meaning: number, words: string])[] = [
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
  for (const [meaning, words] of TELLING_WORDS_LISTS) {
    for (const word of words.split(/\s+/)) {
      const hash = hashWord(word);
      table.set(hash, (table.get(hash) ?? 0) | meaning);
    }
  }
  return table;
}
