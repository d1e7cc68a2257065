import { SUMMARY_LISTS, type Summary } from '../record/index.ts';

/** The lines of a summary that were written, list after list; files and the ledger are added by rule. */
export function writtenLines(summary: Summary): string[] {
  return SUMMARY_LISTS.flatMap((list) => summary[list] ?? []).map(({ text }) => text);
}
