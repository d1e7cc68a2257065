import { isAscii, letterPattern } from '../letter-pattern.ts';
import { CHOICE_WORDS, type CueWords, HESITATION } from './choice-words.ts';
import { EVENT_WORDS, OUTCOME_WORDS } from './outcome-words.ts';
import { REMIND_ME, REPORT_WORDS } from './report-words.ts';

/** Languages whose small words look alike ("mai" is a month, or never), so only those that are spoken are listened for. */
type Language = (typeof LATIN)[number];
const LATIN = ['en', 'de', 'fr', 'es', 'pt', 'it'] as const;

const WORDS = { ...CHOICE_WORDS, ...REPORT_WORDS, ...OUTCOME_WORDS, ...EVENT_WORDS };
/** Whether a sentence has words of one meaning, in the language that it is in. */
interface Cue {
  test(sentence: string): boolean;
}
export type Cues = { readonly [cue in keyof typeof WORDS]: Cue };
type Compiled = { readonly [cue in keyof typeof WORDS]: RegExp };

const made = new Map<string, Compiled>();

function compiledFor(languages: ReadonlySet<Language>): Compiled {
  const spoken = LATIN.filter((language) => languages.has(language));
  const key = spoken.join();
  let compiled = made.get(key);
  if (!compiled) {
    compiled = Object.fromEntries(
      Object.entries(WORDS).map(([name, words]) => [name, compile(words, spoken)]),
    ) as Compiled;
    made.set(key, compiled);
  }
  return compiled;
}

const OPENING = `^[\\s"'“¡¿>*-]*(?:(?:${HESITATION})[\\s,.;:!…、，-]+){0,2}`;

/** Words of scripts with spaces stand between other letters; words of scripts without spaces stand anywhere. */
function compile(words: CueWords, spoken: readonly Language[]): RegExp {
  const lists = [...spoken, 'ru' as const, 'ko' as const].map((language) => words[language]).filter(Boolean);
  const spaced = `(?<![\\p{L}\\p{N}])(?:${lists.join('|')})(?![\\p{L}\\p{N}])`;
  const all = words.spaceless ? `${spaced}|${words.spaceless}` : spaced;
  return letterPattern(words.opening ? `${OPENING}(?:${all})` : all);
}

/**
 * What to look for in talk whose messages are these. Scripts tell most languages apart, the small words the others; a
 * sentence in another language than the rest of the talk is listened to in its own.
 */
export function cuesFor(messages: readonly string[]): Cues {
  const usual = languagesOf(messages.join(' '));
  const others = othersIn(messages, usual);
  const own = compiledFor(usual);
  const heard = [...usual, ...others];
  // A sentence is asked for one cue after the other.
  let last: string | undefined;
  let small = '';
  let cues = own;
  const listenTo = (sentence: string) => {
    if (sentence === last) return;
    last = sentence;
    small = sentence.toLowerCase();
    const language = others.length > 0 ? languageOf(small, heard) : undefined;
    cues = language === undefined || usual.has(language) ? own : compiledFor(new Set([language]));
  };
  const names = Object.keys(WORDS) as (keyof typeof WORDS)[];
  return Object.fromEntries(
    names.map((name) => {
      const test = (sentence: string) => {
        listenTo(sentence);
        return cues[name].test(small);
      };
      return [name, { test }];
    }),
  ) as { [cue in keyof typeof WORDS]: Cue };
}

const COMMON: { readonly [language in Language]: string } = {
  en: 'the is are to of and that it you with for this have be was not we can will would there what just',
  de: 'der die das und ist nicht wir ich mit für auf ein eine den dem zu auch noch wird haben sind dann aber bei',
  fr: "le les est et des une dans pour pas que vous nous sur avec du je ce qui c'est au sont mais plus ça",
  es: 'el los las que y es en para con por una se lo del está como más pero al hay son muy esto',
  pt: 'o os as que e é em para com por uma não se do da no na está mas isso você são ao muito tem',
  it: 'il che di è per non una con sono del della nel si le gli anche ma più questo alla ho da come',
};
/** Less common, and in few other languages: they tell of a sentence which one it is in. */
const TELLING: { readonly [language in Language]: string } = {
  en: 'must never always please only do if on my our they from should has been no as a an in at i he she so or by had me me who how all any her his them then than when more into out up now one',
  de: 'nie niemals immer muss müssen darf dürfen kein keine keinen bitte nur oder wenn als alle ihr uns unser im am zum zur vom nach über jeder jede jedes vor bis statt doch lieber werden wurde hat habe er sie es man mehr schon',
  fr: "ne jamais toujours doit doivent faut il elle on aux ou si toute tous toutes aucun aucune nos notre leur sans sous cette ces n'est d'abord été fait j'ai l'on la de un peut peuvent se",
  es: 'nunca siempre debe deben hay que sin todo todos toda todas nuestro nuestra ni cada cuando porque ya también sólo solo hasta desde ha hemos han fue ser la de un le puede pueden nos nosotros este esta ese',
  pt: 'nunca sempre deve devem sem todo todos toda todas nosso nossa nem cada quando porque já também só até pelo pela dos das foi vai vou eu ele ela nós de um pode podem este esta esse nos',
  it: 'mai sempre deve devono senza tutto tutti tutte nostro nostra né ogni quando perché già anche solo fino dal dalla nella degli dei delle abbiamo hanno ha è stato sia lo la un i di può possono noi ci se',
};
/** By word: the languages that have it, as bits. */
const COMMON_TO = languagesByWord((language) => COMMON[language]);
const LANGUAGES_OF = languagesByWord((language) => `${COMMON[language]} ${TELLING[language]}`);

function languagesByWord(wordsOf: (language: Language) => string): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (const [at, language] of LATIN.entries())
    for (const word of wordsOf(language).split(' ')) table.set(word, (table.get(word) ?? 0) | (1 << at));
  return table;
}

const SAMPLE = 20_000;
/** Of each message so much is looked at for another language. */
const LOOKED_AT = 2_000;
/** So many different small words that the usual languages do not have make another one sure in a message. */
const LEAST_SMALL_WORDS = 3;

function smallWords(text: string): string[] {
  const small = text.toLowerCase();
  return small.match(isAscii(small) ? /[a-z']+/g : /[\p{L}'’]+/gu) ?? [];
}

function bitsOf(languages: Iterable<Language>): number {
  let bits = 0;
  for (const language of languages) bits |= 1 << LATIN.indexOf(language);
  return bits;
}

/** Languages that a message or a part of it is in, beside the usual ones. */
function othersIn(messages: readonly string[], usual: ReadonlySet<Language>): Language[] {
  const own = bitsOf(usual);
  const found = new Set<Language>();
  for (const text of messages) {
    const seen = new Map<Language, Set<string>>();
    for (const word of smallWords(text.slice(0, LOOKED_AT))) {
      const bits = LANGUAGES_OF.get(word);
      if (bits === undefined || bits & own) continue;
      for (const [at, language] of LATIN.entries())
        if (bits & (1 << at)) seen.set(language, (seen.get(language) ?? new Set()).add(word));
    }
    for (const [language, words] of seen) if (words.size >= LEAST_SMALL_WORDS) found.add(language);
  }
  return [...found];
}

/** The one of these languages that most small words of a sentence belong to, if that is clear. */
function languageOf(sentence: string, heard: readonly Language[]): Language | undefined {
  const words = smallWords(sentence).map((word) => LANGUAGES_OF.get(word) ?? 0);
  const hits = heard
    .map((language) => {
      const bit = bitsOf([language]);
      return { language, count: words.filter((bits) => bits & bit).length };
    })
    .sort((a, b) => b.count - a.count);
  const [first, second] = hits;
  return first && first.count >= 2 && first.count > (second?.count ?? 0) ? first.language : undefined;
}

/** The languages of a talk: the one that most small words belong to, and others that a good part of them does. */
function languagesOf(text: string): Set<Language> {
  const words = smallWords(text.slice(0, SAMPLE)).filter((word) => COMMON_TO.has(word));
  const hits = LATIN.map((language, at) => {
    const found = words.filter((word) => COMMON_TO.get(word)! & (1 << at));
    return { language, count: new Set(found).size < 3 ? 0 : found.length };
  });
  const most = Math.max(...hits.map(({ count }) => count));
  const spoken = hits.filter(({ count }) => count > 0 && count >= most * 0.45);
  return new Set<Language>(['en', ...spoken.map(({ language }) => language)]);
}

/** The language that most small words of a text belong to; in scripts that are one language's own, the script's. */
export function mainLanguage(text: string): Language | 'ru' | 'ko' | undefined {
  const sample = text.slice(0, SAMPLE);
  const own = (['ru', 'ko'] as const).find(
    (one) => (sample.match(SCRIPTS[one])?.length ?? 0) * 2 > wordCount(sample),
  );
  return own ?? languageOf(sample, LATIN);
}

const SCRIPTS = { ru: /\p{Script=Cyrillic}+/gu, ko: /\p{Script=Hangul}+/gu } as const;

function wordCount(text: string): number {
  return text.match(/\p{L}+/gu)?.length ?? 0;
}

/** A report that opens with the work: "Fixed the …", "Added". Advice ("Recommended", "Required") opens alike. */
const PARTICIPLE = letterPattern(
  String.raw`^[\s*_\x60"'✅✔☑-]*(?:(?:all|also|now|already|successfully) )?(?!(?:not|agre|acknowledg|excit|pleas|surpris|need|indeed|based|recommend|suggest|requir|propos|expect|plann|relat|unchang|nest|limit|advanc|detail|mix|fail|block|skipp|unus|us|embedd|shar|typ|speed|feed|seed|red|bed|hundred|unrelat|interest|exceed|proceed|succeed)(?:s|ed)?\b|gefällt\b|gehört\b|genügt\b|gelingt\b|gewinnt\b|geschieht\b)(?:\p{L}{2,}ed|done|built|wrote|rewrote|made|ran|set up|put|sent|found|split|cut|committed|pushed|ge\p{L}{3,}t|\p{L}{3,}iert|erledigt|ajouté\p{L}*|corrigé\p{L}*|supprimé\p{L}*|añadid[oa]|corregid[oa]|adicionad[oa]|aggiunt[oa]|corrett[oa])\b`,
);

export function opensDone(sentence: string): boolean {
  return PARTICIPLE.test(sentence.toLowerCase());
}

/** Asks the person what to do next: an old one of these tells nothing. */
const OFFER = letterPattern(
  String.raw`(?:^|[\s,.;(])(?:if you(?:['’]d)? (?:want|like|prefer)|(?:do you )?want me to|would you like|should (?:i|we)|shall (?:i|we)|let me know|ready (?:for|to)|anything (?:else|specific)|feel free|happy to|i can (?:also )?|soll ich|möchtest du|möchten sie|wenn du (?:willst|magst)|voulez-vous|veux-tu|dois-je|si vous (?:voulez|souhaitez)|quieres que|si quieres|¿?te parece|quer que|se quiser|vuoi che|se vuoi|хотите|хочешь|если хотите)(?![\p{L}])|しましょうか|ましょうか|よろしいですか|需要我|要不要|是否需要|할까요`,
);

export function offers(sentence: string): boolean {
  return OFFER.test(sentence.toLowerCase());
}

/** How agents begin to say what they are about to look at or to do next: the calls and the answer tell it better. */
const ANNOUNCES = letterPattern(
  [
    String.raw`^(?:(?:ok(?:ay)?|good|great|perfect|excellent|alright|right|now|first|next|then|so|and|also|finally)[,.!:]? ){0,2}(?:(?:let me|let['’]s|let us)(?! know)(?= )|(?:i['’]ll|i will|i need to|i['’]m going to|i should|we need to) (?:(?:now|first|also|just|quickly|start by|begin by) )*(?:look|check|see|read|examin|explor|inspect|understand|find|search|verify|analy[sz]|review|start|begin|tak|get|gather|investigat|trac|list|open|view|continu|run|grep|scan|locat|figur)\p{L}*|now,? (?:add|check|create|fix|implement|look|replace|remove|rewrite|run|test|update|verify|wire|write)(?= )|here['’]s (?:a|the) (?:summary|overview)|(?:now )?i (?:now )?(?:have|['’]ve got) (?:a |an |the |all |everything |enough )*(?:\p{L}+[- ])*(?:picture|understanding|overview|context|information)(?: of [^.]{1,60})?[.:!]?$|i['’]m (?:now )?(?:looking|checking|reading|going|searching|running|inspecting|verifying)|(?:looking|checking|reading|searching|running|inspecting|verifying|exploring) (?:at|for|the|into|if|whether|how)(?= ))(?!\p{L})`,
    '^(?:(?:ok|gut|so|jetzt|nun|zuerst|dann|als nächstes)[,.!:]? ){0,2}(?:lass mich|ich (?:schaue|sehe|prüfe|lese|suche|werde) (?:mir |jetzt |nun |zuerst |mal )+|schauen wir|sehen wir)',
    "^(?:(?:bien|ok|maintenant|d['’]abord|ensuite)[,.!:]? ){0,2}(?:laisse[zr]?-moi|je vais (?:d['’]abord |maintenant )?(?:regarder|vérifier|lire|examiner|chercher|commencer)|voyons|regardons)",
    '^(?:(?:bien|vale|ahora|primero|luego)[,.!:]? ){0,2}(?:déjame|voy a (?:primero )?(?:mirar|revisar|leer|buscar|comprobar|empezar|ver)|veamos)',
    '^(?:(?:bom|ok|agora|primeiro)[,.!:]? ){0,2}(?:deixe-me|deixa-me|vou (?:primeiro )?(?:ver|verificar|ler|olhar|procurar|começar)|vamos ver)',
    '^(?:(?:bene|ok|ora|prima|poi)[,.!:]? ){0,2}(?:fammi|lasciami|vediamo|guardiamo|(?:controllo|verifico|leggo|cerco) (?:ora|prima|il|la|lo|i|le|gli))',
    '^(?:(?:хорошо|теперь|сначала|затем)[,.!:]? ){0,2}(?:посмотрю|посмотрим|проверю|давайте посмотрим|сейчас (?:посмотрю|проверю))',
    '^(?:まず|次に|では)?[、,]?[^。]{0,40}(?:を確認し(?:てみ)?ます|を見てみます|を見てみましょう|を調べ(?:てみ)?ます|を読みます|を検索します)。?$|^(?:好的?[，,。]?)?(?:首先|现在|接下来)?[，,]?(?:让我|我来|我先|我们先|我现在)(?:看|检查|查看|读|搜索|了解|找|确认|来)|(?:확인|살펴|조사)해? ?보겠습니다[.]?$',
  ].join('|'),
);

export function announces(sentence: string): boolean {
  return ANNOUNCES.test(sentence.toLowerCase());
}

/** The person wants to hear of something later: a task for the agent, also in small talk. */
export const REMINDS = new RegExp(
  String.raw`(?<!\p{L})(?:${REMIND_ME}|don['’]t (?:let me )?forget to|erinner(?:e|t|st|n)?(?: sie| du)? (?:mich|uns) (?:bitte )?(?:\p{L}+ )?dara?n|vergiss nicht|rappelle[zr]?[- ](?:le[- ])?(?:moi|nous)|n['’]oublie[zr]? pas de|recuérda(?:me|nos)|no (?:te )?olvides|lembr[ea][- ](?:me|nos)|me lembr[ea] de|não (?:te |se )?esque[çc]as? de|ricorda(?:mi|ci)|non dimenticare|напомни(?:те)? (?:мне|нам)|не забудь(?:те)?)(?!\p{L})|リマインド|忘れないように|忘れないで|提醒(?:我|一下)|别忘了|알려 ?줘|상기시켜|잊지 ?(?:마|말)`,
  'iu',
);

/** The person turns to something else. */
const SHIFT = letterPattern(
  String.raw`(?:^|[\s,.;])(?:scratch that|now i ?(?:want|need)|next(?:,)? (?:we|i)|let['’]?s (?:tackle|move on|look at|start)|what i want is|new (?:task|topic|goal)|the goal is|als nächstes|jetzt (?:will|möchte) ich|das ziel|maintenant je|passons|l['’]objectif|ahora quiero|pasemos|el objetivo|agora quero|o objetivo|ora voglio|passiamo|l['’]obiettivo|теперь|цель)(?![\p{L}])|次は|今度は|目標は|接下来|现在我(?:想|要)|目标是|다음은|이제|목표는`,
);

export function shifts(sentence: string): boolean {
  return SHIFT.test(sentence.toLowerCase());
}

const QUESTION = /[?？][\s"'”’)\]*_]*$/;

export function asks(sentence: string): boolean {
  return (sentence.includes('?') || sentence.includes('？')) && QUESTION.test(sentence);
}
