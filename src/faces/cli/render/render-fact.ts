import type { OperationResult } from '../../../operations/index.ts';
import type { HistoryStep, retractProjectFact, WrittenFactRecord } from '../../../operations/memory/index.ts';
import { shortId } from '../../../record/index.ts';
import { cyan, dim, yellow } from '../terminal/paint.ts';
import { sayTime } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { budgetLines } from './render-memory.ts';
import { saySource } from './say-source.ts';

/** A fact that was written: its id, the facts it contradicts, and the room that is left. */
export function renderWritten({ fact, repeated, contradicts, budget, project }: WrittenFactRecord): string[] {
  const what = repeated ? 'Known already' : `Written down for ${cyan(project.id)}`;
  return [
    `${what}: ${cyan(shortId(fact.id))}  ${visibleLine(fact.text)}`,
    ...contradicts.map(({ id, text, kind }) =>
      yellow(
        `! ${kind === 'rivals' ? 'Stands in for the same fact as' : 'May contradict'} ${shortId(id)}: ${visibleLine(text)}`,
      ),
    ),
    ...(contradicts.length > 0
      ? [dim('Both are kept. To settle it: throughline memory retract, or edit, the one that does not hold.')]
      : []),
    ...budgetLines(budget),
  ];
}

export function renderRetracted({ facts, budget }: OperationResult<typeof retractProjectFact>): string[] {
  return [
    ...facts.map(({ id, text }) => `Retracted: ${cyan(shortId(id))}  ${visibleLine(text)}`),
    ...budgetLines(budget),
  ];
}

export function renderFactHistory(steps: readonly HistoryStep[]): string[] {
  if (steps.length === 0) return ['Nothing was ever written down.'];
  return steps.flatMap(({ fact, text, step, at, source, reason, entry }) => {
    const by = step === 'superseded' ? `by ${shortId(entry)}` : saySource(source);
    const why = reason === null ? [] : [`    ${dim(`because: ${visibleLine(reason)}`)}`];
    const head = `${dim(sayTime(at))}  ${cyan(shortId(fact))}  ${step.padEnd(10)}  ${by}`;
    const words = step === 'added' || step === 'proposed' ? [`    ${visibleLine(text ?? '')}`] : [];
    return [head, ...words, ...why];
  });
}
