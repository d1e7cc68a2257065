import { ANY_COUNT, ANY_WEEKDAY, countOfWord, weekdayOf } from './date-words.ts';

/** A stretch of days that is named by how long ago it was. */
interface RelativeDays {
  /** How many days before today it begins. */
  readonly ago: number;
  readonly days: number;
}

interface Form {
  /** With word edges; the others are of scripts without spaces. */
  readonly spaced?: readonly string[];
  readonly unspaced?: readonly string[];
  readonly of: (named: Readonly<Record<string, string>>, now: Date) => RelativeDays;
}

const DAY_MS = 86_400_000;
const WEEKDAY = `(?<weekday>${ANY_WEEKDAY})`;
const COUNT = `(?<count>${ANY_COUNT})`;
const LAST = '(?:last|past|letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?|지난)';
/** Behind what it belongs to. */
const PAST = '(?:derni[eè]re?|passée?|pasad[oa]|scors[oa])';
const day = (ago: number) => ({ ago, days: 1 });

/** A weekday of last week comes before last week. */
const FORMS: readonly Form[] = [
  {
    spaced: ['(?:the )?day before yesterday|vorgestern|avant-hier|anteayer'],
    unspaced: ['前天|一昨日|おととい|그저께'],
    of: () => day(2),
  },
  {
    spaced: ['yesterday|last night|gestern|hier|ayer|ieri'],
    unspaced: ['昨日|昨天|昨晚|きのう|어제'],
    of: () => day(1),
  },
  { spaced: ['today|this morning|heute|hoy|oggi'], unspaced: ['今日|今天|今朝|오늘'], of: () => day(0) },
  {
    unspaced: [`(?:先週の?|上[个個]?|지난 ?주 ?)${WEEKDAY}`],
    of: ({ weekday }, now) => day(sinceMonday(now.getUTCDay()) + 7 - sinceMonday(weekdayOf(weekday!))),
  },
  { spaced: [`${LAST} ${WEEKDAY}`], of: ({ weekday }, now) => day(sinceWeekday(weekday!, now)) },
  { spaced: [`${WEEKDAY} ${PAST}`], of: ({ weekday }, now) => day(sinceWeekday(weekday!, now)) },
  {
    spaced: [`${LAST} (?:week|woche)|(?:semaine|semana|settimana) ${PAST}`],
    unspaced: ['先週|上[个個]?(?:[周週]|星期|礼拜|禮拜)|지난 ?주'],
    of: (_, now) => ({ ago: sinceMonday(now.getUTCDay()) + 7, days: 7 }),
  },
  {
    spaced: ['this week|diese[rn]? woche|cette semaine|esta semana|questa settimana'],
    unspaced: ['今週|[这這本][个個]?(?:[周週]|星期)|이번 ?주'],
    of: (_, now) => ({ ago: sinceMonday(now.getUTCDay()), days: 7 }),
  },
  {
    spaced: [`${LAST} (?:month|monat)|(?:mois|mes|mese) ${PAST}`],
    unspaced: ['先月|上[个個]?月|지난 ?달'],
    of: (_, now) => monthAgo(1, now),
  },
  {
    spaced: ['this month|diese[nrm] monats?|ce mois-ci|este mes|questo mese'],
    unspaced: ['今月|[这這本][个個]?月|이번 ?달'],
    of: (_, now) => monthAgo(0, now),
  },
  {
    spaced: [`${LAST} (?:year|jahr)|(?:année|año|anno) ${PAST}`],
    unspaced: ['去年|昨年|작년|지난 ?해'],
    of: (_, now) => between([now.getUTCFullYear() - 1, 0], [now.getUTCFullYear(), 0], now),
  },
  {
    spaced: [
      `${COUNT} days? ago`,
      `vor ${COUNT} tag(?:en)?`,
      `il y a ${COUNT} jours?`,
      `hace ${COUNT} días?`,
    ],
    unspaced: [`${COUNT} ?(?:日前|天前|일 ?전)`],
    of: ({ count }) => day(countOfWord(count!)),
  },
  {
    spaced: [
      `${COUNT} weeks? ago`,
      `vor ${COUNT} wochen?`,
      `il y a ${COUNT} semaines?`,
      `hace ${COUNT} semanas?`,
    ],
    unspaced: [`${COUNT} ?(?:週間前|[个個]?(?:[周週]|星期|礼拜|禮拜)前|주 ?전)`],
    of: ({ count }) => ({ ago: 7 * countOfWord(count!) + 3, days: 7 }),
  },
  {
    spaced: [
      `${COUNT} months? ago`,
      `vor ${COUNT} monat(?:en)?`,
      `il y a ${COUNT} mois`,
      `hace ${COUNT} mes(?:es)?`,
    ],
    unspaced: [`${COUNT} ?(?:[かヶカケ]月前|[个個]月前|개월 ?전)`],
    of: ({ count }, now) => monthAgo(countOfWord(count!), now),
  },
];

const PATTERNS = FORMS.flatMap(({ spaced = [], unspaced = [], of }) => [
  ...spaced.map((form) => ({
    of,
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${form})(?![\\p{L}\\p{N}])`, 'iu'),
  })),
  ...unspaced.map((form) => ({ of, pattern: new RegExp(form, 'iu') })),
]);

/** The first of the forms that stands in the text, counted in UTC. */
export function relativeDays(text: string, now: Date): RelativeDays | undefined {
  for (const { pattern, of } of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return of((found.groups ?? {}) as Record<string, string>, now);
  }
  return undefined;
}

function sinceMonday(weekday: number): number {
  return (weekday + 6) % 7;
}

/** Today is not the last day of its name. */
function sinceWeekday(weekday: string, now: Date): number {
  return ((now.getUTCDay() - weekdayOf(weekday) + 6) % 7) + 1;
}

function monthAgo(count: number, now: Date): RelativeDays {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - count];
  return between([year, month], [year, month + 1], now);
}

function between(from: readonly [number, number], to: readonly [number, number], now: Date): RelativeDays {
  const [start, end] = [Date.UTC(...from), Date.UTC(...to)];
  return { ago: Math.floor((now.getTime() - start) / DAY_MS), days: (end - start) / DAY_MS };
}
