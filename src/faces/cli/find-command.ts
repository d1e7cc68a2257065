import type { Command } from 'commander';

/** The command that words lead to, as far as they do: of "memory add a fact" that is `memory add`. */
export function findCommand(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words) {
    const next = found.commands.find((command) => command.name() === word);
    if (next) found = next;
    else if (found !== program) break;
  }
  return found;
}

/** How one types it, without the name of the program: "memory add". */
export function nameOfCommand(command: Command): string {
  const names: string[] = [];
  for (let one: Command | null = command; one?.parent; one = one.parent) names.unshift(one.name());
  return names.join(' ');
}
