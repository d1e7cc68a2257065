import { CommanderError } from 'commander';
import { type ErrorCode, isThroughlineError } from '../../errors.ts';
import { EXIT_CODES, OK, UNEXPECTED } from './exit-codes.ts';
import { redNote } from './terminal/paint.ts';
import { note, OutputClosed, toJson } from './terminal/print.ts';
import { visibleText } from './terminal/visible-text.ts';

/**
 * Says on stderr what went wrong, in words or as JSON, and returns the exit code that goes with it. `command` is the one
 * whose help a misspelt call is pointed to.
 */
export function printError(error: unknown, { json, command }: { json: boolean; command: string }): number {
  if (error instanceof OutputClosed) return OK;
  // Commander also throws when it has printed the help or the version.
  if (error instanceof CommanderError && error.exitCode === 0) return OK;
  const { code, message, details, exitCode } = describe(error, command);
  const facts = details && Object.keys(details).length > 0 ? { details } : {};
  if (json) note(toJson({ error: { code, message, ...facts } }));
  else note(`${redNote('Error:')} ${visibleText(message)}`);
  if (process.env.THROUGHLINE_DEBUG === '1') process.stderr.write(`${visibleText(stackOf(error))}\n`);
  return exitCode;
}

interface Described {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly exitCode: number;
}

function describe(error: unknown, command: string): Described {
  if (isThroughlineError(error)) {
    const { code, details } = error;
    return { code, message: sayError(error), details, exitCode: EXIT_CODES[code] ?? UNEXPECTED };
  }
  if (error instanceof CommanderError) {
    const [first = '', hint] = error.message.replace(/^error: /, '').split('\n');
    const sentence = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.$/, '');
    const message = `${sentence}. ${hint ? `${hint.replace(/^\(|\)$/g, '')} ` : ''}See "throughline ${command ? `help ${command}` : 'help'}".`;
    return { code: 'usage', message, exitCode: EXIT_CODES.usage };
  }
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return {
    code: 'unexpected',
    message: `${line} (unexpected; THROUGHLINE_DEBUG=1 shows where)`,
    exitCode: UNEXPECTED,
  };
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\nCaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

// Errors of the library are for programs and name no command. In a terminal the next step is a command, and it is named here.

type Facts = Readonly<Record<string, unknown>>;

const DOCTOR = 'Run "throughline doctor" to see what else is damaged and to save the rest.';

/** How a damaged store is mended; from a backup there is no command for. */
const MENDING: Readonly<Record<string, string>> = {
  rebuild: 'Run "throughline doctor --rebuild".',
  salvage:
    '"throughline doctor --salvage" saves what can be read into a new file and leaves this one as it is.',
};

const HINTS: Partial<Record<ErrorCode, (facts: Facts) => string | undefined>> = {
  'session-not-found': ({ trashed, feature }) =>
    feature === undefined
      ? `${trashed === undefined ? '' : '"throughline restore" brings it back. '}List sessions with "throughline sessions".`
      : 'List them with "throughline work sessions"; --state names another state.',
  'session-not-trashed': ({ session }) => `"throughline trash ${session}" does it.`,
  'session-trashed': ({ session }) => `"throughline restore ${session}" brings it back.`,
  'project-not-found': () => 'List projects with "throughline projects".',
  'project-moved': ({ project }) =>
    `If it is: "throughline projects link ${project}". If not: "throughline projects add".`,
  'fact-not-found': ({ of }) =>
    `List them with "throughline memory${of === 'proposal' ? ' proposals' : ''}".`,
  'feature-not-found': () => 'Add one with "throughline work feature".',
  'task-not-found': () => 'Add one with "throughline work task".',
  'entry-unreadable': () => DOCTOR,
  'blob-damaged': () => DOCTOR,
  'store-damaged': ({ mend = 'salvage' }) => MENDING[String(mend)],
  'store-foreign': ({ mend }) => MENDING[String(mend)],
  'store-unwritable': () => 'Another store is named with --store or THROUGHLINE_STORE.',
  'not-saved': ({ files }) =>
    Array.isArray(files) && files.length > 0
      ? files.map((file) => `throughline import --trust '${file}'`).join('; ')
      : undefined,
  'transcript-unknown': ({ format }) => (format === undefined ? undefined : 'That is --format.'),
  'archive-not-found': () => 'See what is there with "throughline archive list".',
  'archive-unavailable': ({ repo, branch }) => {
    if (repo !== undefined) return 'Name another one with --repo.';
    return branch === undefined ? undefined : 'Choose another one with --branch.';
  },
  'archive-not-pushed': ({ scrubbed, taken }) =>
    scrubbed === undefined && taken === undefined ? undefined : 'That is "throughline archive push --force".',
  usage: ({ hostname, of, taken, several }) => {
    if (taken !== undefined) return 'Choose another name, or add --force.';
    if (several !== undefined) return 'That is --out.';
    if (of === 'work') return 'Make one with "throughline work session".';
    return hostname === undefined ? undefined : 'Tokens are given with --tokens.';
  },
};

/** The words of an error, and the command that helps. What a command says itself names its own. */
export function sayError(error: unknown): string {
  if (!isThroughlineError(error)) return error instanceof Error ? error.message : String(error);
  const { code, message, details } = error;
  if (NAMES_A_COMMAND.test(message)) return message;
  const hint = HINTS[code]?.(details);
  return hint === undefined ? message : `${message} ${hint}`;
}

const NAMES_A_COMMAND = /"throughline | --[a-z]/;
