import type { FactBudget, MemoryFact, Proposal } from '../../memory/index.ts';
import { cyan, dim } from '../terminal/paint.ts';
import { sayAge, sayCount } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { budgetLines } from './render-memory.ts';
import { saySource } from './say-source.ts';
import { shortId } from './short-id.ts';

export function renderProposals(
  proposals: readonly Proposal[],
  { all, sessions, read }: { all: number; sessions: number; read: number },
): string[] {
  const looked =
    read < sessions
      ? [dim(`Only the newest ${read} of ${sayCount(sessions, 'summarised session')} were looked at.`)]
      : [];
  if (proposals.length === 0) {
    const why = sessions === 0 ? ' No session of this project has a summary yet.' : '';
    return [`Nothing is proposed.${why}`, ...looked];
  }
  const lines = proposals.flatMap(({ id, text, list, sources, at }) => {
    const others = sources.length > 1 ? ` and ${sayCount(sources.length - 1, 'other')}` : '';
    return [
      `  ${cyan(shortId(id))}  ${list === 'decisions' ? 'Decision: ' : ''}${visibleLine(text)}`,
      `            ${dim(`${saySource(sources[0]!)}${others}, ${sayAge(at)}`)}`,
    ];
  });
  const more =
    all > proposals.length ? [dim(`${proposals.length} of ${all} shown; -n ${all} shows all.`)] : [];
  return [...lines, ...more, ...looked];
}

export function renderAccepted(facts: readonly MemoryFact[], budget: FactBudget): string[] {
  return [
    ...facts.map(({ id, text }) => `Written down: ${cyan(shortId(id))}  ${visibleLine(text)}`),
    ...budgetLines(budget),
  ];
}
