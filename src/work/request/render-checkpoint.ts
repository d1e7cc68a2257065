import type { Checkpoint } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';

/** A checkpoint with the overviews of the summaries that still stand, oldest first. */
export interface ShownCheckpoint extends Checkpoint {
  readonly overview?: readonly string[];
}

type List = 'completed' | 'pending' | 'decisions' | 'blockers' | 'overview' | 'facts' | 'files';

const SECTIONS: readonly (readonly [title: string, list: List])[] = [
  ['Completed', 'completed'],
  ['Still To Do', 'pending'],
  ['Key Decisions', 'decisions'],
  ['Current Blockers', 'blockers'],
  ['Overview', 'overview'],
  ['Known Facts', 'facts'],
  ['Files Touched', 'files'],
];

/** The order in which lists are shortened: decisions and blockers last. */
const ORDER: readonly List[] = [
  'files',
  'facts',
  'overview',
  'completed',
  'pending',
  'decisions',
  'blockers',
];
const LEAST: Readonly<Record<List, number>> = {
  files: 0,
  facts: 0,
  overview: 1,
  completed: 3,
  pending: 3,
  decisions: 4,
  blockers: 4,
};

/**
 * The checkpoint as a request shows it; empty while nothing has been compacted. With `maxTokens` lists are shortened in
 * their middle: the beginning of the work and its newest lines are needed most.
 */
export function renderCheckpoint(
  checkpoint: ShownCheckpoint,
  {
    title = '# Checkpoint (Work Progress)',
    maxTokens = Number.POSITIVE_INFINITY,
  }: { title?: string; maxTokens?: number } = {},
): string {
  const texts = new Map(SECTIONS.map(([, list]) => [list, textsOf(checkpoint, list)]));
  if ([...texts.values()].every((lines) => lines.length === 0)) return '';
  const most = new Map<List, number>();
  const render = () =>
    [
      title,
      ...SECTIONS.flatMap(([name, list]) => section(name, shorten(texts.get(list)!, most.get(list)))),
    ].join('\n');
  let text = render();
  for (const list of ORDER) {
    for (let kept = texts.get(list)!.length; countText(text) > maxTokens && kept > LEAST[list]; ) {
      kept = Math.max(LEAST[list], Math.floor(kept * 0.7));
      most.set(list, kept);
      text = render();
    }
  }
  return countText(text) <= maxTokens ? text : '';
}

function textsOf(checkpoint: ShownCheckpoint, list: List): readonly string[] {
  if (list === 'overview') return checkpoint.overview ?? [];
  if (list === 'files')
    return checkpoint.files.map(({ path, operations }) => `${path} (${operations.join(', ')})`);
  return checkpoint[list].map(({ text }) => text);
}

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${name}:`, '', ...lines];
}

function shorten(texts: readonly string[], most: number = texts.length): string[] {
  const item = (text: string) => `- ${text.replace(/\s*\n\s*/g, ' ')}`;
  if (texts.length <= most) return texts.map(item);
  if (most === 0) return [];
  const first = Math.floor(most / 3);
  const left = texts.length - most;
  return [
    ...texts.slice(0, first).map(item),
    `- (${left} more, not shown)`,
    ...texts.slice(first + left).map(item),
  ];
}
