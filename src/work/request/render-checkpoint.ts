import type { SummaryLine } from '../../record/index.ts';
import type { Checkpoint } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';

type List = 'completed' | 'pending' | 'decisions' | 'blockers' | 'facts';

const SECTIONS: readonly (readonly [title: string, list: List])[] = [
  ['Completed', 'completed'],
  ['Still To Do', 'pending'],
  ['Key Decisions', 'decisions'],
  ['Current Blockers', 'blockers'],
  ['Known Facts', 'facts'],
];

/** What goes first when there is no room. What was decided and what stands in the way goes last. */
const ORDER: readonly (List | 'files')[] = [
  'files',
  'facts',
  'completed',
  'pending',
  'decisions',
  'blockers',
];
const LEAST: Readonly<Record<List | 'files', number>> = {
  files: 0,
  facts: 0,
  completed: 3,
  pending: 3,
  decisions: 4,
  blockers: 4,
};

/**
 * The checkpoint as a request shows it; empty while nothing has been compacted. With `maxTokens` lists are shortened in
 * their middle: how the work began and how it stands now are what one needs most.
 */
export function renderCheckpoint(
  checkpoint: Checkpoint,
  {
    title = '# Checkpoint (Work Progress)',
    maxTokens = Number.POSITIVE_INFINITY,
  }: { title?: string; maxTokens?: number } = {},
): string {
  if (isEmpty(checkpoint)) return '';
  const keep = new Map<List | 'files', number>();
  let text = render(checkpoint, keep, title);
  for (const list of ORDER) {
    for (let most = checkpoint[list].length; countText(text) > maxTokens && most > LEAST[list]; ) {
      most = Math.max(LEAST[list], Math.floor(most * 0.7));
      keep.set(list, most);
      text = render(checkpoint, keep, title);
    }
  }
  return countText(text) <= maxTokens ? text : '';
}

export function isEmpty(checkpoint: Checkpoint): boolean {
  return SECTIONS.every(([, list]) => checkpoint[list].length === 0) && checkpoint.files.length === 0;
}

function render(checkpoint: Checkpoint, keep: ReadonlyMap<List | 'files', number>, title: string): string {
  const lists = SECTIONS.flatMap(([name, list]) => {
    const lines = shorten(
      checkpoint[list].map(({ text }: SummaryLine) => text),
      keep.get(list),
    );
    return lines.length === 0 ? [] : [['', `## ${name}:`, '', ...lines].join('\n')];
  });
  const files = shorten(
    checkpoint.files.map(({ path, operations }) => `${path} (${operations.join(', ')})`),
    keep.get('files'),
  );
  const touched = files.length === 0 ? [] : [['', '## Files Touched:', '', ...files].join('\n')];
  return [title, ...lists, ...touched].join('\n');
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
