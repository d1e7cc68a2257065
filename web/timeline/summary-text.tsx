import { useMemo, useState } from 'react';
import { drawBlock, drawInlines } from '../markdown/markdown.tsx';
import { type Block, type ListItem, parseBlocks } from '../markdown/parse-blocks.ts';

interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

const MOST = 5;
/** What a model or a rule put together for machines; a person asks for it. */
const LATER = ['Topics', 'Files', 'Ledger'];

/** A summary, typeset: what it was about, then its lists under short names. */
export function SummaryText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const sections = useMemo(() => splitSections(parseBlocks(text)), [text]);
  const [overview, ...lists] = sections;
  const shown = whole ? lists : lists.filter(({ title }) => !LATER.includes(title));
  const more = whole || shown.length < lists.length || shown.some(({ blocks }) => lengthOf(blocks) > MOST);
  return (
    <div className="card-text markdown">
      {overview?.blocks.map(drawBlock)}
      <dl className="card-lists">
        {shown.map(({ title, blocks }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {blocks.map((block, index) => drawShort(block, index, whole ? Number.POSITIVE_INFINITY : MOST))}
            </dd>
          </div>
        ))}
      </dl>
      {more && (
        <button type="button" className="link-button card-more" onClick={() => setWhole(!whole)}>
          {whole ? 'Show less' : 'Show the whole summary'}
        </button>
      )}
    </div>
  );
}

function splitSections(blocks: readonly Block[]): Section[] {
  const sections: { title: string; blocks: Block[] }[] = [{ title: '', blocks: [] }];
  for (const block of blocks) {
    const title = block.type === 'heading' ? textOf(block) : '';
    if (title === '') sections.at(-1)!.blocks.push(block);
    else if (title !== 'Conversation Summary') sections.push({ title, blocks: [] });
  }
  return sections;
}

function textOf({ children }: Extract<Block, { type: 'heading' }>): string {
  return children.map((inline) => ('text' in inline ? inline.text : '')).join('');
}

function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + (block.type === 'list' ? block.items.length : 1), 0);
}

function drawShort(block: Block, key: number, most: number) {
  if (block.type !== 'list') return drawBlock(block, key);
  return (
    <ul key={key} className="card-lines">
      {block.items.slice(0, most).map((item, index) => (
        <li key={index}>{drawLine(item)}</li>
      ))}
      {block.items.length > most && <li className="note">and {block.items.length - most} more</li>}
    </ul>
  );
}

function drawLine({ children }: ListItem) {
  const [first] = children;
  return first?.type === 'paragraph' ? drawInlines(first.children) : children.map(drawBlock);
}
