import type { OperationResult } from '../../../operations/index.ts';
import type { ListedFact, showMemory } from '../../../operations/memory/index.ts';
import { shortId } from '../../../record/index.ts';
import { sayCount, sayNumber } from '../../../text/index.ts';
import { bold, cyan, dim, yellow } from '../terminal/paint.ts';
import { sayAge } from '../terminal/say.ts';
import { screenWidth } from '../terminal/screen-width.ts';
import { wrapText } from '../terminal/text-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { saySource } from './say-source.ts';

type Shown = OperationResult<typeof showMemory>;

/** The facts of a project, with the bar that shows how full its budget is. */
export function renderMemory({ project, facts, budget, instructions, nested }: Shown): string[] {
  const { name, id, folders } = project;
  const title = [
    bold(visibleLine(name)),
    id !== null && cyan(id),
    dim(visibleLine(folders.find(({ leftAt }) => leftAt === undefined)?.path ?? '')),
  ];
  const lists = (['facts', 'decisions'] as const).flatMap((list) => {
    const lines = facts.filter((fact) => fact.list === list).flatMap((fact) => factLines(fact, facts));
    return lines.length > 0 ? ['', { facts: 'Facts', decisions: 'Decisions' }[list], ...lines] : [];
  });
  const nothing =
    facts.length === 0 ? ['', 'Nothing is known yet. Write something down: throughline memory add "…"'] : [];
  return [
    title.filter(Boolean).join('  '),
    ...budgetLines(budget),
    ...lists,
    ...nothing,
    ...instructionLines(instructions, nested),
  ];
}

const WIDTH = 30;

export function budgetLines({ limit, used, left, stored, loaded }: Shown['budget']): string[] {
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

/** A fact with its sources, the facts it contradicts, and whether a model sees it. */
function factLines(fact: ListedFact, facts: readonly ListedFact[]): string[] {
  const indent = ' '.repeat(12);
  const width = Math.max(40, screenWidth() - indent.length);
  const text = wrapText(visibleLine(fact.text), width).split('\n');
  const said = fact.sources.map((source) => saySource(source)).join('; ');
  return [
    `  ${cyan(shortId(fact.id))}  ${text[0]}`,
    ...text.slice(1).map((line) => indent + line),
    indent + dim(`${said}, ${sayAge(fact.at)}`),
    ...fact.contradicts.map(({ id, kind }) => {
      const other = facts.find((one) => one.id === id);
      const how = kind === 'rivals' ? 'Written in place of the same fact as' : 'May contradict';
      return indent + yellow(`! ${how} ${shortId(id)}: ${visibleLine(other?.text ?? '')}`);
    }),
    ...(fact.leftOut === 'over-budget'
      ? [indent + yellow('! Over the budget: a model is not shown it.')]
      : []),
    ...(fact.leftOut === 'outdone' ? [indent + yellow('! A model is shown the newer one.')] : []),
  ];
}

const PROBLEMS = {
  outside: 'not read: it points out of the project',
  'not-a-file': 'not read: it is no file',
  unreadable: 'could not be read',
} as const;

function instructionLines(files: Shown['instructions'], nested: Shown['nested']): string[] {
  const own = files.map(({ name, tokens, cut, sameAs, problem }) => {
    const size = `${sayCount(tokens, 'token')}${cut ? ', only its beginning: it is too large' : ''}`;
    const what = problem
      ? PROBLEMS[problem]
      : sameAs === undefined
        ? size
        : `the same as ${visibleLine(sameAs)}`;
    return `  ${visibleLine(name)}  ${dim(what)}`;
  });
  const below = nested.files.map((name) => `  ${visibleLine(name)}  ${dim('for its own folder')}`);
  const more = nested.incomplete ? [dim('  There are too many folders to look into all of them.')] : [];
  const lines = [...own, ...below, ...more];
  return lines.length > 0 ? ['', 'Instruction files (read, never written)', ...lines] : [];
}
