import type {
  CheckpointChangeRecord,
  CheckpointRecord,
  CheckpointVersionRecord,
} from '../../../operations/checkpoint/index.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { LIST_TITLES } from './list-titles.ts';

export function renderCheckpoint(checkpoint: CheckpointRecord): string[] {
  const lists = LIST_TITLES.flatMap(([title, list]) => {
    const lines = checkpoint[list];
    return lines.length === 0 ? [] : [`${title}:`, ...lines.map(({ text }) => `  - ${visibleText(text)}`)];
  });
  const files = checkpoint.files.map(
    ({ path, operations }) => `  - ${visibleText(path)} (${operations.join(', ')})`,
  );
  const all = files.length > 0 ? [...lists, 'Files:', ...files] : lists;
  return all.length > 0
    ? all
    : [
        'No checkpoint yet: no summary of this session lists anything done, open or decided. Compacting makes one.',
      ];
}

export function renderHistory(history: readonly CheckpointVersionRecord[]): string[] {
  if (history.length === 0) return ['No versions yet.'];
  return history.map(({ version, seq, at, by }) => {
    return `${String(version).padStart(3)}  ${new Date(at).toISOString()}  entry ${seq}  ${sayAuthor(by)}`;
  });
}

function sayAuthor(by: CheckpointVersionRecord['by']): string {
  if (by.kind === 'restored') return `version ${by.version} again`;
  if (by.kind === 'merged') return `merged from ${by.branch}`;
  return `by ${by.model || by.kind}`;
}

const SIGNS = { added: '+', removed: '-', reworded: '~' } as const;

export function renderChanges(changes: readonly CheckpointChangeRecord[]): string[] {
  if (changes.length === 0) return ['No difference.'];
  return changes.map(({ list, change, text, was }) => {
    const before = was === undefined ? '' : ` (was: ${visibleText(was)})`;
    return `${SIGNS[change]} ${list}: ${visibleText(text)}${before}`;
  });
}
