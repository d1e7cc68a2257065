import type { Summary } from '../record/index.ts';

/** The lines of a summary that somebody wrote, list after list; files and the ledger are told by rule. */
export function writtenLines(summary: Summary): string[] {
  const { topics, decisions, completed, pending, blockers, facts } = summary;
  return [topics, decisions, completed, pending, blockers, facts].flat().map(({ text }) => text);
}
