import type { OperationResult } from '../../../operations/index.ts';
import type { acceptProjectProposals, listProjectProposals } from '../../../operations/memory/index.ts';
import { shortId } from '../../../record/index.ts';
import { sayCount } from '../../../text/index.ts';
import { cyan, dim } from '../terminal/paint.ts';
import { sayAge } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { budgetLines } from './render-memory.ts';
import { saySource } from './say-source.ts';

export function renderProposals({
  proposals,
  total,
  sessions,
  read,
}: OperationResult<typeof listProjectProposals>): string[] {
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
    total > proposals.length ? [dim(`${proposals.length} of ${total} shown; -n ${total} shows all.`)] : [];
  return [...lines, ...more, ...looked];
}

export function renderAccepted({ facts, budget }: OperationResult<typeof acceptProjectProposals>): string[] {
  return [
    ...facts.map(({ id, text }) => `Written down: ${cyan(shortId(id))}  ${visibleLine(text)}`),
    ...budgetLines(budget),
  ];
}
