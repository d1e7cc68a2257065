import type {
  FactBudget,
  FittedFacts,
  InstructionFile,
  NestedInstructions,
  Project,
  ShownFact,
} from '../../memory/index.ts';
import { bold, cyan, dim, yellow } from '../terminal/paint.ts';
import { sayAge, sayCount, sayNumber } from '../terminal/say.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { wrapText } from '../terminal/wrap-text.ts';
import { saySource } from './say-source.ts';
import { shortId } from './short-id.ts';

export interface ShownMemory {
  readonly project: Project;
  readonly facts: readonly ShownFact[];
  readonly fitted: FittedFacts;
  readonly instructions: readonly InstructionFile[];
  readonly nested: NestedInstructions | undefined;
}

/** What is known about a project, with the bar that says how full it is. */
export function renderMemory({ project, facts, fitted, instructions, nested }: ShownMemory): string[] {
  const { name, known, id } = project;
  const title = [
    bold(visibleLine(name)),
    known && cyan(id),
    dim(visibleLine(project.folders.find(({ leftAt }) => leftAt === undefined)?.path ?? '')),
  ];
  const lists = (['facts', 'decisions'] as const).flatMap((list) => {
    const lines = facts
      .filter((fact) => fact.list === list)
      .flatMap((fact) => factLines(fact, facts, fitted));
    return lines.length > 0 ? ['', { facts: 'Facts', decisions: 'Decisions' }[list], ...lines] : [];
  });
  const nothing =
    facts.length === 0 ? ['', 'Nothing is known yet. Write something down: throughline memory add "…"'] : [];
  return [
    title.filter(Boolean).join('  '),
    ...budgetLines(fitted.budget),
    ...lists,
    ...nothing,
    ...instructionLines(instructions, nested),
  ];
}

const WIDTH = 30;

export function budgetLines({ limit, used, left, stored, loaded }: FactBudget): string[] {
  const filled = Math.min(WIDTH, Math.round((used / limit) * WIDTH));
  const bar = `[${'█'.repeat(filled)}${' '.repeat(WIDTH - filled)}]`;
  const facts =
    stored === loaded
      ? sayCount(stored, 'fact')
      : `${sayNumber(loaded)} of ${sayCount(stored, 'fact')} shown to a model`;
  const over = used > limit ? yellow(` ${sayNumber(used - limit)} over: the oldest are left out.`) : '';
  return [
    `${bar} ${sayNumber(used)} of ${sayNumber(limit)} tokens, ${sayNumber(left)} left; ${facts}.${over}`,
  ];
}

/** What else one should know: where they come from, what they contradict, and whether a model sees them. */
function factLines(fact: ShownFact, facts: readonly ShownFact[], { leftOut }: FittedFacts): string[] {
  const indent = ' '.repeat(12);
  const width = Math.max(40, screenWidth() - indent.length);
  const text = wrapText(visibleLine(fact.text), width).split('\n');
  const said = fact.sources.map((source) => saySource(source)).join('; ');
  const missing = leftOut.find(({ id }) => id === fact.id)?.reason;
  return [
    `  ${cyan(shortId(fact.id))}  ${text[0]}`,
    ...text.slice(1).map((line) => indent + line),
    indent + dim(`${said}, ${sayAge(fact.at)}`),
    ...fact.contradicts.map(({ id, kind }) => {
      const other = facts.find((one) => one.id === id);
      const how = kind === 'rivals' ? 'Written in place of the same fact as' : 'May contradict';
      return indent + yellow(`! ${how} ${shortId(id)}: ${visibleLine(other?.text ?? '')}`);
    }),
    ...(missing === 'over-budget' ? [indent + yellow('! Over the budget: a model is not shown it.')] : []),
    ...(missing === 'outdone' ? [indent + yellow('! A model is shown the newer one.')] : []),
  ];
}

const PROBLEMS = {
  outside: 'not read: it points out of the project',
  'not-a-file': 'not read: it is no file',
  unreadable: 'could not be read',
} as const;

function instructionLines(
  files: readonly InstructionFile[],
  nested: NestedInstructions | undefined,
): string[] {
  const own = files.map(({ name, tokens, cut, sameAs, problem }) => {
    const size = `${sayCount(tokens, 'token')}${cut ? ', only its beginning: it is too large' : ''}`;
    const what = problem
      ? PROBLEMS[problem]
      : sameAs === undefined
        ? size
        : `the same as ${visibleLine(sameAs)}`;
    return `  ${visibleLine(name)}  ${dim(what)}`;
  });
  const below = (nested?.files ?? []).map((name) => `  ${visibleLine(name)}  ${dim('for its own folder')}`);
  const more = nested?.incomplete ? [dim('  There are too many folders to look into all of them.')] : [];
  const lines = [...own, ...below, ...more];
  return lines.length > 0 ? ['', 'Instruction files (read, never written)', ...lines] : [];
}
