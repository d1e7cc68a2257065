import type { TurnStatus } from '../../src/agent/index.ts';
import type { CutBy } from '../../src/record/index.ts';

// What a turn becomes when something happens to it. Every face is driven through these rows and has to show the same;
// docs/runs.md has the table as `printTable` prints it.

export const CAUSES = {
  kill: '`kill -9`',
  SIGTERM: 'SIGTERM',
  SIGINT: 'SIGINT',
  cut: 'the provider drops the connection',
  'status-401': 'the provider answers 401',
  'status-429': 'the provider answers 429',
  'status-500': 'the provider answers 500',
  overflow: 'the provider says that it is too long',
  cancel: 'a person stops it',
  disk: 'the disk is full',
} as const;
export type Cause = `${keyof typeof CAUSES}`;

export const PLACES = {
  before: 'before the answer',
  middle: 'in mid-answer',
  look: 'in a repeatable tool',
  paint: 'in any other tool',
  waiting: 'with one waiting',
} as const;
export type Place = keyof typeof PLACES;

export type Face = 'library' | 'rpc' | 'terminal';

/** A turn as a face tells of it. */
export interface Seen {
  readonly status: TurnStatus;
  readonly cutBy: CutBy | null;
  readonly code: string | null;
  /** The sentence of the error. */
  readonly message: string | null;
}

export interface Row {
  readonly cause: Cause;
  readonly place: Place;
  /** The turn that it happens to, in the process it happened in if that lives, and in the next one. */
  readonly status: TurnStatus;
  readonly cutBy: CutBy | null;
  readonly error: { readonly code: string; readonly says: RegExp } | null;
  /** The turn that waits behind it. */
  readonly behind?: TurnStatus;
  /** What the process that it happens in tells of the turn, if it lives: the code of an error, or the status. */
  readonly told?: string;
  /** `nothing`: the message behind it was answered, so it is history and keeps its reason. */
  readonly goesOn: 'answered' | 'nothing';
  /** How often the tool has run once the turn has its answer. */
  readonly runs?: number;
}

/** Combinations that cannot be. */
export const IMPOSSIBLE: Partial<Record<`${Cause}/${Place}`, string>> = {
  'status-401/middle': 'the status comes before the stream; an error in the stream is the row of 500',
  'status-429/middle': 'the status comes before the stream; an error in the stream is the row of 500',
  'overflow/middle': 'the status comes before the stream; an error in the stream is the row of 500',
};

/** What a place means for causes that cannot be there to the letter. */
export const NOTES = [
  'Named are the status and the error or `cutBy`. Without one, the log has the question alone, which may have come from a file or a host.',
  'A provider takes no part in a tool: its errors come with the request that has the result of the tool.',
  'In mid-answer, 500 is an error in the stream.',
  'A full disk keeps no note. The process holds the rest of the turn in memory until there is room; there the turn is `failed` with `not-saved`, and then in the log too, unless the whole answer was in memory. Where that process ends first, the log looks as after a crash, as the row says.',
  'A message that waits where no process will begin it says why: `turn-not-running`, or `not-saved` in the process whose disk is full.',
  'Ctrl-C in a terminal is a person who stops the answer; SIGINT to a chat in a pipe ends the chat.',
];

const ERRORS = {
  cut: { code: 'model-failed', says: /./ },
  'status-401': { code: 'model-refused', says: /key/i },
  'status-429': { code: 'model-busy', says: /./ },
  'status-500': { code: 'model-failed', says: /./ },
  overflow: { code: 'context-overflow', says: /./ },
} as const;

const isProvider = (cause: Cause): cause is keyof typeof ERRORS => cause in ERRORS;

/** The causes that end the process. */
export const SIGNALS: Partial<Record<Cause, NodeJS.Signals>> = {
  kill: 'SIGKILL',
  SIGTERM: 'SIGTERM',
  SIGINT: 'SIGINT',
};

export const ROWS: readonly Row[] = (Object.keys(CAUSES) as Cause[]).flatMap((cause) =>
  (Object.keys(PLACES) as Place[]).flatMap((place) =>
    IMPOSSIBLE[`${cause}/${place}`] === undefined ? [rowOf(cause, place)] : [],
  ),
);

function rowOf(cause: Cause, place: Place): Row {
  const isTool = place === 'look' || place === 'paint';
  const ends = SIGNALS[cause] !== undefined || cause === 'disk';
  return {
    cause,
    place,
    status: isProvider(cause) ? 'failed' : 'interrupted',
    cutBy: cutByOf(cause, place),
    error: isProvider(cause) ? ERRORS[cause] : null,
    ...(place === 'waiting' && { behind: ends ? 'waiting' : 'complete' }),
    ...(SIGNALS[cause] === undefined && { told: toldOf(cause) }),
    goesOn: place === 'waiting' && !ends ? 'nothing' : 'answered',
    // A tool that may be repeated and has no result runs again; any other never does.
    ...(isTool && { runs: place === 'look' && ends ? 2 : 1 }),
  };
}

function cutByOf(cause: Cause, place: Place): CutBy | null {
  if (isProvider(cause)) return null;
  if (cause === 'cancel') return 'person';
  if (cause === 'SIGTERM' || cause === 'SIGINT') return 'shutdown';
  // A question alone may have come from a file or a host: the log does not tell of a process.
  return place === 'before' ? null : 'crash';
}

function toldOf(cause: Cause): string {
  if (cause === 'disk') return 'not-saved';
  return isProvider(cause) ? ERRORS[cause].code : 'interrupted';
}

/** The section of docs/runs.md. */
export function printTable(): string {
  const places = Object.keys(PLACES) as Place[];
  const rows = (Object.keys(CAUSES) as Cause[]).map((cause) => {
    const cells = places.map((place) => {
      const row = ROWS.find((one) => one.cause === cause && one.place === place);
      return row ? printCell(row) : '–';
    });
    return `| ${[CAUSES[cause], ...cells].join(' | ')} |`;
  });
  const why = new Set(Object.values(IMPOSSIBLE));
  return [
    `| what happens | ${places.map((place) => PLACES[place]).join(' | ')} |`,
    `|---|${places.map(() => '---|').join('')}`,
    ...rows,
    '',
    ...[...NOTES, ...[...why].map((reason) => `–: ${reason}.`)].map((note) => `- ${note}`),
    '',
  ].join('\n');
}

function printCell({ status, cutBy, error, behind, runs }: Row): string {
  const why = error?.code ?? cutBy;
  const turn = why === null ? `\`${status}\`` : `\`${status}\`, \`${why}\``;
  if (behind) return `${turn}; the next ${behind === 'waiting' ? 'waits' : 'is answered'}`;
  if (runs === undefined) return turn;
  return `${turn}; runs ${runs === 2 ? 'again' : 'once'}`;
}
