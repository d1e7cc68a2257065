import { isAscii } from '../letter-pattern.ts';
import { remember, rememberWords } from '../remember.ts';

/** Where signs follow a Latin name without a space, the name ends there. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{M}_][[\p{L}\p{M}\p{N}_.'’\/\-]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]*/gv;
/** The same for text of ASCII alone, which most is, and far quicker. */
const ASCII_WORD = /[0-9]+(?:[.,:][0-9]+)*|[a-z_][a-z0-9_.'/-]*/g;
const SPACELESS =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Words that stand in any sentence of their language and tell none from another. */
const EMPTY = new Set(
  `a an the is are was were am be been being do does did done have has had having and or but if so then than that this these
  those it its it's i i'm i've i'll i'd we we're we've we'll you you're your my our me us he she they them his her their to of
  in on at by for from with as into about over out up down off not no yes can could would should will shall may might must just
  also very too really there here what which who when where why how all any some more most much many one only please let let's
  ok okay now well still already yet again same other such each both between after before while because since until like get
  der die das den dem des ein eine einen einem einer eines ist sind war waren bin hat habe haben wird werden ich wir du ihr sie
  es mir mich uns und oder aber auch so sehr ja nein nicht doch mal dann dass diese dieser dieses da hier zu im in am an auf aus
  bei mit nach von vor für über um als wie was wer wo wenn noch schon nur bitte man zum zur
  le la les l un une des du de d est sont était suis être été ai as avons avez ont je nous tu vous il elle on ce cet cette ces
  ça cela me moi mon ma mes notre nos votre et ou mais aussi très donc alors que qu y en là ici pas ne se si au aux par pour
  sur dans avec sans c'est j'ai
  el los las uno una unos unas es son era soy fue ser está están he ha hemos han yo tú usted mi mis tu su y o pero también muy
  pues entonces lo al del con sin por para se esto esta este eso esa ese aquí que como más sí
  os um uma é são eu nós você meu minha seu sua e também muito então isso aqui do da dos das no na em com sem não
  il lo gli i è sono ho abbiamo io noi mio mia anche molto poi allora che questo questa qui di dei delle non con per
  и в на не что это как а но да нет я мы ты вы он она они мой наш по за из от до для с к у о же бы уже ещё еще то так
  네 예 아니요 아니 그럼 그리고 그러면 또 그건 그렇게 좋아요 알겠습니다 하겠습니다 합니다 합시다 해요 하죠 할게요 했어요 했습니다 입니다 이에요 예요 있어요 있습니다 없어요
  주세요 것 거 수 저 제가 우리 저희`.split(/\s+/),
);

/** So many texts are remembered with their words: those of a few turns. */
const LATELY = 500;

/** Says nothing alone, in any of the languages. */
export function isEmpty(word: string): boolean {
  return EMPTY.has(word);
}

const NUMBERS: ReadonlyMap<string, string> = new Map(
  `one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12 thirteen 13 fourteen 14 fifteen 15 sixteen 16 seventeen 17 eighteen 18
  nineteen 19 dreizehn 13 vierzehn 14 fünfzehn 15 sechzehn 16 siebzehn 17 achtzehn 18 neunzehn 19 elf 11 dreißig 30 vierzig 40
  fünfzig 50 treize 13 quatorze 14 quinze 15 seize 16 vingt 20 trente 30 quarante 40 cinquante 50 trece 13 catorce 14 quince 15
  dieciséis 16 veinte 20 treinta 30 cuarenta 40 cincuenta 50 treze 13 dezesseis 16 vinte 20 trinta 30 quarenta 40 tredici 13
  quattordici 14 quindici 15 sedici 16 diciassette 17 diciotto 18 diciannove 19 venti 20 trenta 30 quaranta 40 cinquanta 50
  одиннадцать 11 двенадцать 12 пятнадцать 15 шестнадцать 16 двадцать 20 тридцать 30 сорок 40 пятьдесят 50 шестьдесят 60 soixante 60 sesenta 60 sessenta 60
  sessanta 60 sechzig 60 siebzig 70 achtzig 80 neunzig 90 seventy 70 eighty 80 setenta 70 ochenta 80 noventa 90 oitenta 80 settanta 70
  ottanta 80 novanta 90 twenty 20 thirty 30 forty 40 fifty 50
  sixty 60 ninety 90 eins 1 zwei 2 drei 3 vier 4 fünf 5 sechs 6 sieben 7 acht 8 neun 9 zehn 10 elf 11 zwölf 12 zwanzig 20
  deux 2 trois 3 quatre 4 cinq 5 sept 7 huit 8 neuf 9 dix 10 onze 11 douze 12 dos 2 tres 3 cuatro 4 cinco 5 seis 6 siete 7
  ocho 8 nueve 9 diez 10 doce 12 dois 2 três 3 quatro 4 sete 7 oito 8 nove 9 dez 10 due 2 tre 3 quattro 4 cinque 5 sei 6
  sette 7 otto 8 dieci 10 dodici 12 duas 2 два 2 две 2 двух 2 трёх 3 пяти 5 три 3 четыре 4 пять 5 шесть 6 семь 7 восемь 8 девять 9 десять 10`
    .split(/\s+/)
    .reduce<[string, string][]>((pairs, word, at, words) => {
      if (at % 2 === 0) pairs.push([word, words[at + 1]!]);
      return pairs;
    }, []),
);

/**
 * What a sentence is about: its words without the empty ones, roughly stemmed; number words as digits; pairs of letters
 * where a script has no spaces.
 */
export const contentWords: (text: string) => ReadonlySet<string> = remember(readContentWords, LATELY);

function readContentWords(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const plain = isAscii(text);
  for (const raw of text.toLowerCase().match(plain ? ASCII_WORD : WORD) ?? []) {
    if (!plain && SPACELESS.test(raw)) {
      if (raw.length === 1) found.add(raw);
      for (let at = 0; at + 1 < raw.length; at++) found.add(raw.slice(at, at + 2));
      continue;
    }
    const word = subjectOf(raw);
    if (word) found.add(word);
  }
  return found;
}

/** What a word as written counts as; empty for one that tells nothing. */
const subjectOf = rememberWords((raw) => {
  const word = raw.replace(/’/g, "'").replace(/['./-]+$/, '');
  const number = NUMBERS.get(word);
  if (number) return number;
  if (EMPTY.has(word)) return '';
  if (!HANGUL.test(word)) return stem(word);
  const bare = word.replace(PARTICLE, '');
  return EMPTY.has(bare) ? '' : bare;
});

const HANGUL = /^\p{Script=Hangul}/u;
/** What Korean sets behind a noun to say what part it plays. */
const PARTICLE =
  /(?<=\p{L}{2})(?:에서는|에게는|으로는|까지는|부터는|에서|에게|한테|으로|까지|부터|마다|처럼|보다|이나|하고|이랑|은|는|이|가|을|를|에|로|와|과|도|만|의|께|랑|나)$/u;

/** "attempts" and "attempt", "purged" and "purge" are one word. Wrong now and then, alike for every mention. */
function stem(word: string): string {
  if (word.length < 5 || !/^[a-zà-ÿ]+$/.test(word)) return word;
  const short = word.replace(/(?:ing|ed|es|en|er|s|e|n)$/, '');
  return short.length < 5 ? short : short.replace(/(?:en|er|s|e|n)$/, '');
}

const NUMBER_WORDS = [...NUMBERS.keys()];
const NUMBER_WORD = new RegExp(`(?<!\\p{L})(?:${NUMBER_WORDS.join('|')})(?!\\p{L})`, 'u');
const ASCII_NUMBER_WORD = new RegExp(
  `(?<![a-z])(?:${NUMBER_WORDS.filter((word) => isAscii(word)).join('|')})(?![a-z])`,
);

/** Whether a text has a figure, in digits or in words: most have none, and need not be read for any. */
export const hasFigures: (text: string) => boolean = remember((text) => {
  const plain = isAscii(text);
  if (plain ? /[0-9]/.test(text) : /\p{N}/u.test(text)) return true;
  const small = text.toLowerCase();
  if ((plain ? ASCII_NUMBER_WORD : NUMBER_WORD).test(small)) return true;
  return (!plain && text.search(COUNTED) >= 0) || (ONE.test(text) && text.search(ONE_OF_TIME) >= 0);
}, LATELY);

const FIGURE = /\p{N}+(?:[.,:]\p{N}+)*/gu;

/** The figures of a sentence, number words included. */
export const figuresIn: (text: string) => ReadonlySet<string> = remember((text) => {
  const found = new Set<string>();
  if (!hasFigures(text)) return found;
  for (const [figure] of text.matchAll(FIGURE)) found.add(figure);
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const number = NUMBERS.get(word);
    if (number && word !== 'one') found.add(number);
  }
  return found;
}, LATELY);

/** The text with number words as digits. */
export function withDigits(text: string): string {
  const plain = isAscii(text);
  const small = plain ? text.toLowerCase() : text.toLowerCase().replace(COUNTED, toDigit);
  const counted = ONE.test(small) ? small.replace(ONE_OF_TIME, '1 ') : small;
  if (plain && !ASCII_NUMBER_WORD.test(counted)) return counted;
  return counted.replace(plain ? /[a-z]+/g : /\p{L}+/gu, (word) =>
    word === 'one' ? word : (NUMBERS.get(word) ?? word),
  );
}

/** Numbers in signs before the word that counts. */
const COUNTED =
  /[一二两三四五六七八九十百千]+(?=小时|小時|時間|分钟|分鐘|[个個张張条條本次周週名位份页頁篇项項台件天日月年秒元块円人])/g;
const SIGNS = '零一二三四五六七八九';
const TENS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };

/** 九十 is 90. */
function toDigit(signs: string): string {
  let sum = 0;
  let digit: number | undefined;
  for (const sign of signs) {
    const ten = TENS[sign];
    if (ten === undefined) digit = sign === '两' ? 2 : SIGNS.indexOf(sign);
    else {
      sum += (digit ?? 1) * ten;
      digit = undefined;
    }
  }
  return String(sum + (digit ?? 0));
}

/** Quicker to look for, and in few texts: the beginnings of the next. */
const ONE = /(?<![a-z])(?:un[ae]|uma|eine|a)\s+(?:[hjwyнчмг]|se[mt]|st|or|m[ioeê]|a[nñ])|одн[уа]\s/;
/** "a week" is one week. */
const ONE_OF_TIME =
  /(?<![\p{L}])(?:uma|una|une|eine|a|одну|одна)\s+(?=(?:semana|settimana|semaine|woche|week|недел[яю]|hora|stunde|hour|heure|ora|час|minut|month|monat|mese|mês|mes|mois|месяц|jahr|year|año|anno?|ano|год)(?![\p{L}]))/gu;

/** Of Hiragana alone: endings and particles, which any two sentences share. */
const ENDING = /^\p{Script=Hiragana}+$/u;

export function namesSomething(word: string): boolean {
  return !ENDING.test(word);
}

export function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared;
}
