import type { OperationResult } from '../../../operations/index.ts';
import type { importTranscripts, listAgentHomes } from '../../../operations/transcript/index.ts';
import { sayCount, sayNumber } from '../../../text/index.ts';
import { cyan, dim, yellow } from '../terminal/paint.ts';
import { visibleLine } from '../terminal/visible-text.ts';

type Imported = OperationResult<typeof importTranscripts>;
type ImportReport = Imported['sessions'][number];

/** A line for each session, and the totals. */
export function renderImport({ sessions, skipped, failed }: Imported): string[] {
  const added = sessions.reduce((sum, report) => sum + report.added, 0);
  const unknown = skipped.filter(({ reason }) => reason === 'unknown').length;
  const taken = sessions.filter(({ purged }) => !purged);
  const left = sessions.length - taken.length;
  const totals = [
    sayCount(taken.length, 'session'),
    `${sayCount(added, 'new entry', 'new entries')}`,
    ...(unknown > 0
      ? [`${sayCount(unknown, 'file')} that ${unknown === 1 ? 'is' : 'are'} no known transcript`]
      : []),
    ...(left > 0 ? [`${sayCount(left, 'session')} left out that ${left === 1 ? 'was' : 'were'} purged`] : []),
    ...(failed.length > 0 ? [`${sayCount(failed.length, 'file')} failed`] : []),
  ];
  return [...sessions.map(renderReport), `${sessions.length > 0 ? '\n' : ''}${totals.join(', ')}.`];
}

const MOST_NAMED = 10;

/** The files that were passed by: one of them may be the one that was meant. */
export function sayUnknown(skipped: Imported['skipped']): string[] {
  const files = skipped.flatMap(({ file, reason }) => (reason === 'unknown' ? [file] : []));
  if (files.length === 0) return [];
  const more = files.length - MOST_NAMED;
  return [
    'No known transcript (--format says what a file is):',
    ...files.slice(0, MOST_NAMED).map((file) => `  ${visibleLine(file)}`),
    ...(more > 0 ? [`  and ${sayNumber(more)} more; --json names all of them.`] : []),
  ];
}

/** The settings that were left out, and how to have them. */
export function sayLeftOut(sessions: Imported['sessions'], { trust = false }: { trust?: boolean }): string[] {
  const counts = new Map<string, number>();
  for (const { settingsLeftOut = {} } of sessions)
    for (const [name, count] of Object.entries(settingsLeftOut))
      counts.set(name, (counts.get(name) ?? 0) + count);
  if (counts.size === 0) return [];
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const names = [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(', ');
  const why = trust
    ? 'because another project here has the folder or the label'
    : `because ${total === 1 ? 'it acts' : 'they act'} on this machine. If the file is your own: throughline import --trust`;
  return [`Left out: ${sayCount(total, 'setting')} (${names}), ${why}.`];
}

function renderReport(report: ImportReport): string {
  const { id, format, messages, toolPairs, compactions, branches, unknownKept, damage, added } = report;
  const facts = [
    sayCount(messages, 'message'),
    ...(toolPairs > 0 ? [sayCount(toolPairs, 'tool pair')] : []),
    ...(compactions > 0 ? [sayCount(compactions, 'compaction')] : []),
    ...(branches > 0 ? [sayCount(branches, 'branch', 'branches')] : []),
    ...(unknownKept > 0 ? [`${sayCount(unknownKept, 'unknown line')} kept`] : []),
  ];
  const broken =
    damage > 0 ? `  ${yellow(`damaged in ${sayCount(damage, 'place')}: ${sayDamage(report)}`)}` : '';
  const purged = 'left out: it was purged. Name the file to import it again';
  const fresh = report.purged ? purged : added > 0 ? `+${added}` : 'nothing new';
  return `${cyan(id)}  ${dim(format)}  ${facts.join(', ')}  ${dim(`(${fresh})`)}${broken}`;
}

function sayDamage({ damageKinds }: ImportReport): string {
  return Object.entries(damageKinds)
    .map(([kind, count]) => (count === 1 ? kind : `${kind} ×${count}`))
    .join(', ');
}

/** One line for each report of new entries. */
export function renderFollowed({ id, format, file, messages, added }: ImportReport): string {
  return `${cyan(id)}  ${dim(format)}  +${added}, ${sayCount(messages, 'message')}  ${dim(visibleLine(file))}`;
}

export function renderHomes(homes: OperationResult<typeof listAgentHomes>['homes']): string[] {
  return [
    'Found:',
    ...homes.map(
      ({ agent, path, files }) => `  ${agent}: ${sayCount(files, 'file')} in ${visibleLine(path)}`,
    ),
  ];
}
