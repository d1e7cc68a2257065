/** The block below a command's help: what people type, and what it does. */
export function helpExamples(...examples: readonly (readonly [command: string, meaning: string])[]): string {
  const width = Math.max(...examples.map(([command]) => command.length));
  const lines = examples.map(([command, meaning]) => `  $ ${command.padEnd(width)}  ${meaning}`);
  return `\nExamples:\n${lines.join('\n')}`;
}

/** How a session may be named, for the help of every command that takes one. */
export const SESSION_ARGUMENT = 'an id, the start of one, a title, or a number of the last list';

/** How a project may be named, for the help of every command that looks at the sessions of one. */
export const PROJECT_OPTION =
  'only sessions of this project: its id, the start of one, its name, a folder, or what sessions call it';

/** What a list of commands says of each. */
export function firstSentence(description: string): string {
  return description.split(/(?<=\.) /)[0]!;
}
