import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Row } from './measure.ts';
import { type ProbedSession, type ProbeResult, probeSession } from './probe-session.ts';

export interface ProbeOptions {
  /** The folder that the `file` of a probe file is relative to. */
  readonly data?: string;
  /** A folder of probe files, or one of them. */
  readonly probes?: string;
  readonly only?: string;
  /** Messages that stay. */
  readonly keep?: string;
}

const SHARED = path.join(import.meta.dirname, '../../shared');

/** What a successor still knows after everything but the last messages was summarised without a model. */
export async function benchProbes({
  data = path.join(SHARED, 'data/transcripts'),
  probes = path.join(SHARED, 'probes/dev'),
  only = '',
  keep = '4',
}: ProbeOptions = {}): Promise<Row[]> {
  if (!existsSync(probes))
    return [{ work: 'successor probes', value: 'the data is not beside the project', target: '' }];
  const files = statSync(probes).isFile()
    ? [probes]
    : readdirSync(probes)
        .filter((file) => file.endsWith('.json') && file.includes(only))
        .sort()
        .map((file) => path.join(probes, file));
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-probes-'));
  const sessions: ProbedSession[] = [];
  try {
    for (const file of files) sessions.push(await probeSession(file, { data, folder, keep: Number(keep) }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [...totals(sessions), ...sessions.map(oneSession)];
}

function totals(sessions: readonly ProbedSession[]): Row[] {
  const results = sessions.flatMap(({ results: all }) => all);
  const sum = (field: 'tokens' | 'lines' | 'dropped' | 'bare') =>
    sessions.reduce((total, session) => total + session[field], 0);
  const atLeast = (work: string, value: number, target: number): Row => ({
    work,
    value: value.toFixed(1),
    target: `≥ ${target}`,
    met: value >= target,
  });
  const atMost = (work: string, value: number, target: number, unit = ''): Row => ({
    work,
    value: `${Math.round(value)}${unit}`,
    target: `≤ ${target}${unit}`,
    met: Math.round(value) <= target,
  });
  const labelled = results.filter((result) => result.labelled !== undefined);
  const below = sessions.filter(({ results: all }) => share(all, 'summary') < share(all, 'outline'));
  return [
    atLeast(
      `found in the summary alone (${sum('tokens')} tokens, ${sessions.length} sessions)`,
      share(results, 'summary'),
      88,
    ),
    atLeast('… in the whole context', share(results, 'context'), 94),
    atLeast('… in the context of the question itself', share(results, 'recalled'), 96),
    atLeast('… under the right heading', share(labelled, 'labelled'), 90),
    { work: '… in an outline of the same size', value: share(results, 'outline').toFixed(1), target: '' },
    atMost('sessions on which the outline is better', below.length, 0),
    atMost(
      'false claims',
      results.reduce((total, result) => total + result.false, 0),
      3,
    ),
    atMost('lines with words dropped', (100 * sum('dropped')) / Math.max(1, sum('lines')), 0, ' %'),
    atMost('lines of bare names', (100 * sum('bare')) / Math.max(1, sum('lines')), 5, ' %'),
  ];
}

function oneSession({ name, tokens, results }: ProbedSession): Row {
  const figures = (['summary', 'context', 'recalled', 'outline'] as const).map((field) =>
    share(results, field).toFixed(0),
  );
  return {
    work: `${name}: summary / context / with recall / outline`,
    value: `${figures.join(' / ')} (${tokens} tokens)`,
    target: '',
  };
}

function share(
  results: readonly ProbeResult[],
  field: 'summary' | 'context' | 'recalled' | 'outline' | 'labelled',
): number {
  const all = results.reduce((sum, { weight }) => sum + weight, 0);
  const found = results.reduce((sum, result) => sum + (result[field] ? result.weight : 0), 0);
  return all === 0 ? 100 : (100 * found) / all;
}
