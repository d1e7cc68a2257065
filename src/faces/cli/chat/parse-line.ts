/** A line of a chat: blank, a message for the agent, or a command of the chat. */
type Line =
  | { readonly kind: 'blank' }
  | {
      readonly kind: 'message';
      /** The line as it is, so that it is sent to the byte as `context --question` foretells it. */
      readonly text: string;
      /** The command that it begins like: worth a hint, since the two are easily mistaken. */
      readonly like?: CommandName;
    }
  | { readonly kind: 'command'; readonly name: CommandName; readonly args: readonly string[] }
  /** A slash and a word that is no command. */
  | { readonly kind: 'unknown'; readonly name: string };

const NUMBER = /^\d+$/;
const RANGE = /^\d+(?:[-–]\d+)?$/;
const WORD = /^\S+$/;

/**
 * Which arguments make a bare word a command. A word that is part of a sentence is a message, so without the slash a
 * command takes numbers, ids, options, one word or something in quotes, and never free text.
 */
const COMMANDS = {
  compact: { args: [/^review$/], options: true },
  resume: { args: [WORD] },
  sessions: { args: [], options: true },
  context: { args: [], options: true },
  search: { args: [WORD], options: true },
  pin: { args: [/^(?:last|\d+(?:[-–]\d+)?)$/, RANGE, RANGE, RANGE], options: true },
  fork: { args: [NUMBER], options: true },
  expand: { args: [NUMBER] },
  collapse: { args: [NUMBER] },
  checkpoint: { args: [NUMBER, NUMBER], options: true },
  tag: { args: [WORD], options: true },
  title: { args: [WORD] },
  export: { args: [WORD], options: true },
  cost: { args: [] },
  retry: { args: [] },
  steer: { args: [] },
  help: { args: [/^\/?[a-z]+$/] },
  exit: { args: [] },
} satisfies Record<string, { readonly args: readonly RegExp[]; readonly options?: boolean }>;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

const OTHER_NAMES: Readonly<Record<string, CommandName>> = { quit: 'exit', bye: 'exit' };

export function parseLine(line: string): Line {
  const text = line.trim();
  if (text === '') return { kind: 'blank' };
  const [first = '', ...args] = splitWords(text);
  const slashed = /^\/([a-z]+)$/i.exec(first);
  const name = nameOf(slashed?.[1] ?? first);
  if (slashed)
    return name ? { kind: 'command', name, args: args.map(unquote) } : { kind: 'unknown', name: first };
  // Several lines are always a message.
  if (!name || text.includes('\n')) return { kind: 'message', text: line };
  if (takes(name, args)) return { kind: 'command', name, args: args.map(unquote) };
  return { kind: 'message', text: line, like: name };
}

function nameOf(word: string): CommandName | undefined {
  const lower = word.toLowerCase();
  if (Object.hasOwn(COMMANDS, lower)) return lower as CommandName;
  return Object.hasOwn(OTHER_NAMES, lower) ? OTHER_NAMES[lower] : undefined;
}

function takes(name: CommandName, args: readonly string[]): boolean {
  const { args: shapes, options = false }: { args: readonly RegExp[]; options?: boolean } = COMMANDS[name];
  const given = args.findIndex((arg) => /^--?[a-z]/.test(arg));
  const plain = given < 0 ? args : args.slice(0, given);
  if (given >= 0 && !options) return false;
  if (name === 'help' && args.length === 1) return nameOf(args[0]!.replace(/^\//, '')) !== undefined;
  return (
    plain.length <= shapes.length && plain.every((arg, index) => isQuoted(arg) || shapes[index]!.test(arg))
  );
}

/** Words, with quoted text as one. */
function splitWords(text: string): string[] {
  return text.match(/"[^"]*"|“[^”]*”|\S+/g) ?? [];
}

const isQuoted = (word: string) => /^(?:"[^"]*"|“[^”]*”)$/.test(word);

function unquote(word: string): string {
  return isQuoted(word) ? word.slice(1, -1) : word;
}
