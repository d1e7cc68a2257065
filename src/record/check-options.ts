import { ThroughlineError } from '../errors.ts';

/** What the value of an option may be, where nothing closer is said. */
const KINDS = {
  text: { words: 'a text', fits: (value: unknown) => typeof value === 'string' },
  number: { words: 'a number', fits: (value: unknown) => typeof value === 'number' && !Number.isNaN(value) },
  'whole number': {
    words: 'a whole number, 0 or more',
    fits: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0,
  },
  boolean: { words: 'true or false', fits: (value: unknown) => typeof value === 'boolean' },
  false: { words: 'false', fits: (value: unknown) => value === false },
  function: { words: 'a function', fits: (value: unknown) => typeof value === 'function' },
  list: { words: 'a list', fits: Array.isArray },
  object: {
    words: 'an object',
    fits: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  },
  path: { words: 'a path', fits: (value: unknown) => typeof value === 'string' && value !== '' },
  store: {
    words: 'a store, as openStore gives',
    fits: (value: unknown) => hasMethods(value, ['append', 'session', 'list']),
  },
  session: {
    words: 'an open session, as openSession and createSession give',
    fits: (value: unknown) => hasMethods(value, ['append', 'refresh']),
  },
  'session info': {
    words: 'the info of a session, as session.info and getSession give',
    fits: (value: unknown) =>
      typeof (value as SessionLike)?.id === 'string' && (value as SessionLike).state != null,
  },
  'session mode': {
    words: '"write", "join" or "read"',
    fits: (value: unknown) => value === 'write' || value === 'join' || value === 'read',
  },
  signal: { words: 'an AbortSignal', fits: (value: unknown) => value instanceof AbortSignal },
  /** It is checked where it is used. */
  anything: { words: 'anything', fits: () => true },
} as const;

interface SessionLike {
  readonly id?: unknown;
  readonly state?: unknown;
}

type OptionKind = keyof typeof KINDS;

/** The options of a call, and what each may be. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, OptionKind | readonly OptionKind[]>>;

interface CheckedCall {
  /** The function that was called. */
  readonly call: string;
  /** Where to say what other names stand for, by these names. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/**
 * Refuses options that a call cannot have been meant with: one that there is not, with the nearest name (misspelt, it would
 * change nothing), and one whose value is of another kind. `undefined` stands for an option that is not given.
 */
export function checkOptions(options: unknown, known: OptionKinds<object>, about: CheckedCall): void {
  if (!KINDS.object.fits(options))
    throw new ThroughlineError(
      'usage',
      `The options of ${about.call} are ${describe(options)}. Give an object, or leave them out.`,
    );
  for (const [option, value] of Object.entries(options as object)) {
    if (!Object.hasOwn(known, option)) throw unknownOption(option, Object.keys(known), about);
    const kinds = [known[option as never] as OptionKind | readonly OptionKind[]].flat();
    if (value === undefined || kinds.some((kind) => KINDS[kind].fits(value))) continue;
    const words = kinds.map((kind) => KINDS[kind].words).join(' or ');
    throw new ThroughlineError(
      'usage',
      `The option "${option}" of ${about.call} has to be ${words}, and is ${describe(value)}.`,
      { details: { option } },
    );
  }
}

/** Refuses an argument of another kind before the call reads it. `argument`: what it stands for. */
export function checkArgument(
  value: unknown,
  kind: OptionKind,
  { call, argument = kind }: CheckedCall & { readonly argument?: string },
): void {
  const { words, fits } = KINDS[kind];
  if (fits(value)) return;
  throw new ThroughlineError(
    'usage',
    `The ${argument} that ${call} was given has to be ${words}, and is ${describe(value)}.`,
    { details: { argument } },
  );
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
  );
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string'
    ? JSON.stringify(value.slice(0, 80))
    : typeof value === 'function'
      ? 'a function'
      : String(value);
}

function unknownOption(
  option: string,
  names: string[],
  { call, elsewhere = {} }: CheckedCall,
): ThroughlineError {
  const other = Object.hasOwn(elsewhere, option) ? elsewhere[option] : undefined;
  const [first] = names.toSorted((a, b) => distance(option, a) - distance(option, b));
  const nearest = other === undefined && isNear(option, first!) ? first : undefined;
  const hint = other ?? (nearest === undefined ? undefined : `Did you mean "${nearest}"?`);
  return new ThroughlineError(
    'usage',
    [`${call} has no option "${option}".`, hint, `There are: ${names.join(', ')}.`]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    { details: { option, ...(nearest !== undefined && { nearest }) } },
  );
}

/** Every name has a nearest one; it helps only if half of the letters are the same. */
function isNear(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a.includes(b) || b.includes(a) || distance(one, other) * 2 <= Math.max(one.length, other.length);
}

/** Letters to add, take out or change, in either case. */
function distance(one: string, other: string): number {
  const target = other.toLowerCase();
  let row = Array.from({ length: target.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one.toLowerCase()].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= target.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (target[j - 1] === letter ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}
