import { foldTalk, tellingWords } from '../../text/index.ts';
import type { Hit, Recall, SearchOptions } from '../recall.ts';

// The relevance floor. A message is looked up if it names something, and if something that was said is about it. The
// words of acknowledgements are known in ten languages; in any other, and for words that no list has, the log tells: a
// word of talk stands alone or among two or three others, a subject stands within a sentence.

/** A message of so many telling words is no small talk: the ranks of the search have to do. */
const MANY = { question: 3, statement: 5 };
/**
 * About so many of the telling words have to be in one message, as they are or in near synonyms: of one word half, of more
 * words more. Of three, one is in some sentence of every long conversation.
 */
const LEAST_WORDS = { named: 0.3, one: 0.5, two: 0.7, more: 1.05 };
/** Letters beside the matches that make a clause a sentence; a character of a script without spaces counts as three, a digit as two. */
const LEAST_AROUND = 8;
const LOOKED_AT = 30;
const MARK = ['\u0001', '\u0002'] as const;

export async function asksAbout(
  recall: Recall,
  message: string,
  options: SearchOptions & { readonly isOpen: (hit: Hit) => boolean | Promise<boolean> },
): Promise<boolean> {
  const asks = /[?？]\s*$/.test(message);
  const telling = tellingWords(message);
  if (!asks && onlyChats(telling)) return false;
  // "2", "option 3": a choice from the last answer.
  if (telling.every((word) => /^\d{1,2}$/.test(word))) return false;
  if (telling.length >= (asks ? MANY.question : MANY.statement)) return true;
  const { isOpen, ...search } = options;
  const hits = await recall.search(telling.join(' '), { ...search, limit: LOOKED_AT, mark: MARK });
  const least = leastWords(telling) / telling.length;
  const clauseEnd = asks ? SENTENCE_END : CLAUSE_END;
  for (const hit of hits)
    if (hit.cover >= least && saysMore(hit, clauseEnd) && (await isOpen(hit))) return true;
  return false;
}

function leastWords(telling: readonly string[]): number {
  if (hasName(telling)) return LEAST_WORDS.named;
  const counts = ['one', 'two'] as const;
  return LEAST_WORDS[counts[telling.length - 1] ?? 'more'];
}

/** True for a name with something asked about it. A name alone may be the one who is thanked. */
function hasName(telling: readonly string[]): boolean {
  return telling.slice(1).some((word) => /^\p{Lu}/u.test(word));
}

const SENTENCE_END = /[.!?…\n。！？]+(?=\s|$)|[。！？]/u;
/** "Thanks, I will": between commas an acknowledgement stands alone. A label and what it names do not stand apart. */
const CLAUSE_END = /[.!?,;…\n。！？、，；—–]+(?=\s|$)|[。！？、，；]/u;

/** True if a match stands within a sentence, or two of them together; what has no match was found by its meaning. */
function saysMore({ snippet }: Hit, end: RegExp): boolean {
  if (!snippet.includes(MARK[0])) return true;
  return snippet.split(end).some((clause) => {
    const found = clause.split(MARK[0]).length - 1;
    return found > 1 || (found === 1 && lettersIn(clause.replaceAll(MARKED, '')) >= LEAST_AROUND);
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks are characters that no text has.
const MARKED = /\u0001[^\u0002]*\u0002/g;

function lettersIn(text: string): number {
  const unspaced =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu) ?? [];
  const digits = text.match(/\p{N}/gu) ?? [];
  return (text.match(/[\p{L}\p{N}]/gu) ?? []).length + 2 * unspaced.length + digits.length;
}

/**
 * What people chat about beside the matter, in the ten languages of the talk words: the time, meals, the weather, sleep, how
 * one feels, the telephone, a slip of the fingers, praise. In a question a topic word may be the subject; in a statement with
 * nothing else in it, it is not.
 */
const TOPICS = new RegExp(
  `^(?:${[
    // English
    '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:minute|hour|week|weekend|month|year|holiday|vacation|lunch|dinner|breakfast|coffee|tea|break|nap|rain|snow|sunshine|weather|birthday|delay)s?|rainy|snowy|sunny|windy|cloudy|hot|cold|warm|freezing|tired|sleepy|hungry|busy|sick|brb|afk|omw|gtg|slept|sleep|asleep|badly|didn|doesn|wasn|couldn|shouldn|wouldn|haven|hasn|hadn|aren|won|mustn|needn|expect|expected|late|two|three|four|five|six|seven|eight|nine|ten|phones?|ringing|rang|doorbell|beers?|typos?|alone|rock|rocks|charm|relief|hero|legend|champ|genius|found|ignore|luck|joke|wrong|fingers|crossed|mood|stretch|walk|bed|home|shame|respect|drink|song|laughing|traffic|dog|cat|kids',
    // German
    'montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|wochenende|minuten?|stunden?|wochen?|monate?|tagen|seit|kurz|urlaub|mittag\\p{L}*|feierabend|essen|fruhstuck|kaffee\\p{L}*|tee|pause|regen|regnet|schnee|schneit|wetter|sonne|sonnig|heiss|kalt|warm|mude|hunger|krank|geschlafen|schlecht|verspatung|zuruck|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|telefon|handy|klingelt\\p{L}*|klingel|tur|bier|falsche[snmr]?|hammer|hut|respekt|stress|stecken|angegossen|gluck|pech|witz|gahn\\p{L}*|hund|katze|kinder|spazieren|schlaf|bett|hause|laune|stau|spass|abend|appetit',
    // French
    'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|minutes?|heures?|semaines?|vacances|dejeuner|diner|manger|cafe|pause|pluie|pleut|neige|meteo|soleil|chaud|chaleur|froid|fatigue\\p{L}*|faim|malade|dormi|retard|reviens|retour|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|secondes?|telephone|sonne|porte|biere|mauvaise?|appetit|sante|courage|blague|chance|chien|chat|enfants|lit|humeur|bouchons|verre|patience|plaisante',
    // Spanish
    'lunes|martes|miercoles|jueves|viernes|sabado|domingo|minutos?|horas?|semanas?|vacaciones|comer|comida|almorzar|almuerzo|cenar|cafe|descanso|lluvia|llueve|llover|nieva|tiempo|sol|calor|frio|cansad[oa]|hambre|enferm[oa]|dormi(?:do)?|demora|retraso|vuelvo|vuelta|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|segundos?|telefono|llaman|suena|puerta|cerveza|equivocad[oa]|equivoque|equivoco|debo|suerte|salud|apetito|broma|perro|gato|ninos|cama|humor|atasco|copa|risa|monton|calma|exito',
    // Portuguese
    'segunda|terca|quarta|quinta|sexta|feira|minutos?|semanas?|ferias|almoco|almocar|jantar|lanche|pausa|chuva|chove|chovendo|neve|calor|frio|cansad[oa]|fome|doente|dormi|atraso|volto|voltei|dois|duas|cinco|sete|oito|nove|dez|segundos?|telefone|telemovel|tocar|tocando|porta|cerveja|errad[oa]|enganei|dever|noite|bola|sorte|saude|apetite|alivio|brincadeira|cao|cachorro|gato|criancas|cama|humor|transito|copo|daqui|festa|pressa',
    // Italian
    'lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica|minuti?|or[ae]|settiman[ae]|vacanz[ae]|pranz\\p{L}*|cena|mangiare|caffe|pausa|pioggia|piove|nevica|neve|caldo|freddo|stanc[oa]|fame|malat[oa]|dormito|ritardo|torno|tornat[oa]|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|secondi?|telefono|suona|squilla|porta|birra|sbagliat[oa]|devo|fortuna|salute|appetito|sollievo|scherzo|cane|gatto|bambini|letto|casa|umore|traffico|bicchiere|posto|mito|spettacolo',
    // Russian
    'понедельник\\p{L}*|вторник\\p{L}*|сред[ау]|четверг\\p{L}*|пятниц\\p{L}*|суббот\\p{L}*|воскресень\\p{L}*|выходн\\p{L}*|минут\\p{L}*|недел\\p{L}*|отпуск\\p{L}*|обед\\p{L}*|ужин\\p{L}*|завтрак\\p{L}*|кофе|ча[ия]|перерыв\\p{L}*|дожд\\p{L}*|снег\\p{L}*|погод\\p{L}*|жар[ауы]|жарко|холодно|тепло|устал\\p{L}*|голод\\p{L}*|спал\\p{L}*|отоиду|вернул\\p{L}*|задержк\\p{L}*|дв[аеух]+|три|четыре|пять|десять|телефон\\p{L}*|звон\\p{L}*|двер[ьи]|пив[оа]|туда|написал\\p{L}*|ошибся|ошиблась|опечатк\\p{L}*|удача|здоровь\\p{L}*|аппетит\\p{L}*|облегчение|огонь|шутк\\p{L}*|кот|собак\\p{L}*|дет[ия]|дом[ао]и?|настроени\\p{L}*|пробк\\p{L}*|легенда|скоро|секунд\\p{L}*',
    // Korean
    '(?:월|화|수|목|금|토|일)요일\\p{L}*|주말\\p{L}*|점심\\p{L}*|저녁\\p{L}*|아침\\p{L}*|커피\\p{L}*|비(?:가|는)?|눈(?:이|은)|오네요|와요|날씨\\p{L}*|더[워웠]\\p{L}*|덥\\p{L}*|추[워웠]\\p{L}*|춥\\p{L}*|어제\\p{L}*|잠(?:을|이|깐)?|잤\\p{L}*|피곤\\p{L}*|배고\\p{L}*|먹고|먹으러|올게요|다녀\\p{L}*|늦\\p{L}*|전화\\p{L}*|왔\\p{L}*|돌아\\p{L}*|뒤에|분|맥주\\p{L}*|한잔\\p{L}*|살게요|쏠게요|잘못|보냈\\p{L}*|오타\\p{L}*|실수\\p{L}*|초인종\\p{L}*|집에|강아지\\p{L}*|아이들\\p{L}*|기분\\p{L}*|행운\\p{L}*|농담\\p{L}*',
    // Chinese and Japanese
    '.{0,2}(?:雨|雪|天気|天气|午饭|午飯|吃饭|吃飯|昼食|昼|休憩|週末|周末|星期.|.曜日|咖啡|睡|眠|熱|热|暑|寒|冷|昨晚|昨日|疲|累|戻|電話|电话|鳴|啤酒|ビール|分钟|五分|十分|打错|发错|間違|口气|漂亮|门铃|玄関|笑|运气|調子|天才).{0,2}',
  ].join('|')})$`,
  'u',
);

/** True if every telling word of a statement is about a small-talk topic. */
function onlyChats(telling: readonly string[]): boolean {
  return telling.every((word) => {
    const parts = foldTalk(word).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    return parts.every((part) => part.length === 1 || TOPICS.test(part));
  });
}
