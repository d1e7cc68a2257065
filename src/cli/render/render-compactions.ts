import type { CompactionDescription } from '../../compaction/index.ts';
import { tokens } from './render-compaction.ts';

export function renderCompactions(session: string, all: readonly CompactionDescription[]): string[] {
  if (all.length === 0)
    return [
      'This session has no compactions. Make one with "compact --here" in its chat, or in a shell:',
      `throughline compact ${session}`,
    ];
  return all.map(
    ({ number, level, covers, tokensBefore, tokensAfter, by, status }) =>
      `${String(number).padStart(3)}  entries ${covers.from}–${covers.to}  ${tokens(tokensBefore)} → ${tokens(tokensAfter)}  level ${level}, by ${by.model ?? by.kind}  ${status}`,
  );
}
