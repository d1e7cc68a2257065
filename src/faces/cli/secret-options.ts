import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { usageError } from './usage-error.ts';

/** The secrets that a command is about. */
export interface SecretOptions {
  readonly text?: readonly string[];
  readonly textFrom?: string;
  readonly pattern?: readonly RegExp[];
}

export function withSecretOptions(command: Command): Command {
  return command
    .option('--text <secret>', 'a secret as it is; it stays in the history of your shell', collect)
    .option(
      '--text-from <file>',
      'secrets as they are, one on a line, from a file or from - (standard input)',
    )
    .option('--pattern <expression>', 'what it looks like, as a regular expression', collectPattern);
}

/** The secrets that the options name; none for all that the scanner of today finds. */
export function readSecrets({ text = [], textFrom, pattern = [] }: SecretOptions): {
  texts: string[];
  patterns: string[];
} {
  const listed = textFrom === undefined ? [] : readLines(textFrom);
  if (textFrom !== undefined && listed.length === 0) throw usageError(`There is no secret in ${textFrom}.`);
  return { texts: [...text, ...listed], patterns: pattern.map(({ source }) => source) };
}

function readLines(file: string): string[] {
  try {
    const text = readFileSync(file === '-' ? 0 : file, 'utf8');
    return text.split(/\r?\n/).filter((line) => line !== '');
  } catch (error) {
    throw usageError(`The secrets cannot be read from ${file}: ${(error as Error).message}`);
  }
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function collectPattern(value: string, before: readonly RegExp[] = []): RegExp[] {
  try {
    return [...before, new RegExp(value, 'gu')];
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
