import { CommanderError } from 'commander';
import { isThroughlineError } from '../errors.ts';
import { sayError } from './error-hints.ts';
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
