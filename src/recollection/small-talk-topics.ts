import { foldTalk } from '../text/index.ts';

/**
 * What people chat about beside the matter, in the ten languages of the talk words: the time, meals, the weather, sleep, how one
 * feels. In a question such a word may be what is asked about; in a statement with nothing else in it, it is not.
 */
const TOPICS = new RegExp(
  `^(?:${[
    // English
    '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:minute|hour|week|weekend|month|year|holiday|vacation|lunch|dinner|breakfast|coffee|tea|break|nap|rain|snow|sunshine|weather|birthday|delay)s?|rainy|snowy|sunny|windy|cloudy|hot|cold|warm|freezing|tired|sleepy|hungry|busy|sick|brb|afk|omw|gtg|slept|sleep|asleep|badly|didn|doesn|wasn|couldn|shouldn|wouldn|haven|hasn|hadn|aren|won|mustn|needn|expect|expected|late|two|three|four|five|six|seven|eight|nine|ten',
    // German
    'montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|wochenende|minuten?|stunden?|wochen?|monate?|tagen|seit|kurz|urlaub|mittag\\p{L}*|feierabend|essen|fruhstuck|kaffee\\p{L}*|tee|pause|regen|regnet|schnee|schneit|wetter|sonne|sonnig|heiss|kalt|warm|mude|hunger|krank|geschlafen|schlecht|verspatung|zuruck|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn',
    // French
    'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|minutes?|heures?|semaines?|vacances|dejeuner|diner|manger|cafe|pause|pluie|pleut|neige|meteo|soleil|chaud|chaleur|froid|fatigue\\p{L}*|faim|malade|dormi|retard|reviens|retour|deux|trois|quatre|cinq|six|sept|huit|neuf|dix',
    // Spanish
    'lunes|martes|miercoles|jueves|viernes|sabado|domingo|minutos?|horas?|semanas?|vacaciones|comer|comida|almorzar|almuerzo|cenar|cafe|descanso|lluvia|llueve|llover|nieva|tiempo|sol|calor|frio|cansad[oa]|hambre|enferm[oa]|dormi(?:do)?|demora|retraso|vuelvo|vuelta|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez',
    // Portuguese
    'segunda|terca|quarta|quinta|sexta|feira|minutos?|semanas?|ferias|almoco|almocar|jantar|lanche|pausa|chuva|chove|chovendo|neve|calor|frio|cansad[oa]|fome|doente|dormi|atraso|volto|voltei|dois|duas|cinco|sete|oito|nove|dez',
    // Italian
    'lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica|minuti?|or[ae]|settiman[ae]|vacanz[ae]|pranz\\p{L}*|cena|mangiare|caffe|pausa|pioggia|piove|nevica|neve|caldo|freddo|stanc[oa]|fame|malat[oa]|dormito|ritardo|torno|tornat[oa]|due|tre|quattro|cinque|sei|sette|otto|nove|dieci',
    // Russian
    'понедельник\\p{L}*|вторник\\p{L}*|сред[ау]|четверг\\p{L}*|пятниц\\p{L}*|суббот\\p{L}*|воскресень\\p{L}*|выходн\\p{L}*|минут\\p{L}*|недел\\p{L}*|отпуск\\p{L}*|обед\\p{L}*|ужин\\p{L}*|завтрак\\p{L}*|кофе|ча[ия]|перерыв\\p{L}*|дожд\\p{L}*|снег\\p{L}*|погод\\p{L}*|жар[ауы]|жарко|холодно|тепло|устал\\p{L}*|голод\\p{L}*|спал\\p{L}*|отоиду|вернул\\p{L}*|задержк\\p{L}*|дв[аеух]+|три|четыре|пять|десять',
    // Korean
    '(?:월|화|수|목|금|토|일)요일\\p{L}*|주말\\p{L}*|점심\\p{L}*|저녁\\p{L}*|아침\\p{L}*|커피\\p{L}*|비(?:가|는)?|눈(?:이|은)|오네요|와요|날씨\\p{L}*|더[워웠]\\p{L}*|덥\\p{L}*|추[워웠]\\p{L}*|춥\\p{L}*|어제\\p{L}*|잠(?:을|이|깐)?|잤\\p{L}*|피곤\\p{L}*|배고\\p{L}*|먹고|먹으러|올게요|다녀\\p{L}*|늦\\p{L}*',
    // Chinese and Japanese
    '.{0,2}(?:雨|雪|天気|天气|午饭|午飯|吃饭|吃飯|昼食|昼|休憩|週末|周末|星期.|.曜日|咖啡|睡|眠|熱|热|暑|寒|冷|昨晚|昨日|疲|累|戻).{0,2}',
  ].join('|')})$`,
  'u',
);

/** True if every telling word of a statement is about such a topic. */
export function onlyChats(telling: readonly string[]): boolean {
  return telling.every((word) => {
    const parts = foldTalk(word).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    return parts.every((part) => part.length === 1 || TOPICS.test(part));
  });
}
