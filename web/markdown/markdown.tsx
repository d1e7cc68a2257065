import { memo, type ReactNode, useMemo } from 'react';
import { CodeBlock } from './code-block.tsx';
import { type Block, parseBlocks } from './parse-blocks.ts';
import type { Inline } from './parse-inline.ts';

/** What a message says, typeset. Built from elements only: no text of a message is ever read as HTML. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => parseBlocks(text), [text]);
  return <div className="markdown">{blocks.map(drawBlock)}</div>;
});

export function drawBlock(block: Block, key: number): ReactNode {
  switch (block.type) {
    case 'heading': {
      // The page has its own first three levels.
      const Heading = `h${Math.min(6, block.level + 3)}` as 'h4';
      return <Heading key={key}>{drawInlines(block.children)}</Heading>;
    }
    case 'paragraph':
      return <p key={key}>{drawInlines(block.children)}</p>;
    case 'code':
      return <CodeBlock key={key} language={block.language} text={block.text} />;
    case 'quote':
      return <blockquote key={key}>{block.children.map(drawBlock)}</blockquote>;
    case 'rule':
      return <hr key={key} />;
    case 'list':
      return drawList(block, key);
    case 'table':
      return drawTable(block, key);
  }
}

function drawList({ start, items }: Extract<Block, { type: 'list' }>, key: number): ReactNode {
  const lines = items.map(({ done, children }, index) => (
    <li key={index} className={done === undefined ? undefined : 'task'}>
      {done !== undefined && (
        <input type="checkbox" checked={done} readOnly aria-label={done ? 'done' : 'open'} />
      )}
      {drawItem(children)}
    </li>
  ));
  return start === undefined ? (
    <ul key={key}>{lines}</ul>
  ) : (
    <ol key={key} start={start}>
      {lines}
    </ol>
  );
}

/** A line alone is set tight, without the space of a paragraph. */
function drawItem(children: readonly Block[]): ReactNode {
  const [first, ...rest] = children;
  if (first?.type !== 'paragraph') return children.map(drawBlock);
  return (
    <>
      {drawInlines(first.children)}
      {rest.map(drawBlock)}
    </>
  );
}

function drawTable({ head, rows }: Extract<Block, { type: 'table' }>, key: number): ReactNode {
  return (
    <div className="table-scroller" key={key}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column}>{drawInlines(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, column) => (
                <td key={column}>{drawInlines(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function drawInlines(inlines: readonly Inline[]): ReactNode {
  return inlines.map((inline, key) => drawInline(inline, key));
}

function drawInline(inline: Inline, key: number): ReactNode {
  switch (inline.type) {
    case 'text':
      return inline.text;
    case 'code':
      return <code key={key}>{inline.text}</code>;
    case 'strong':
      return <strong key={key}>{drawInlines(inline.children)}</strong>;
    case 'emphasis':
      return <em key={key}>{drawInlines(inline.children)}</em>;
    case 'struck':
      return <s key={key}>{drawInlines(inline.children)}</s>;
    case 'break':
      return <br key={key} />;
    case 'link':
      return (
        <a key={key} href={inline.href} target="_blank" rel="noopener noreferrer nofollow">
          {drawInlines(inline.children)}
        </a>
      );
  }
}
