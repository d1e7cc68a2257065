import { useState } from 'react';
import type { Part } from '../../src/record/index.ts';
import { Icon } from '../app/icon.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { isText, readable, textOf } from './read-parts.ts';

const LONG = 12_000;

/** One part of what was said. What this version does not know is shown as it is kept. */
export function MessagePart({ part }: { part: Part }) {
  if (part.type === 'reasoning') return <Reasoning text={textOf(part)} />;
  if (isText(part)) return <Words text={textOf(part)} />;
  if (part.type === 'file' || part.type === 'image') return <FilePart part={part} />;
  return (
    <details className="fold">
      <summary>Part of kind “{part.type}”</summary>
      <pre className="fold-text">{readable(part)}</pre>
    </details>
  );
}

function Words({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  if (text.length <= LONG || whole) return <Markdown text={text} />;
  return (
    <>
      <Markdown text={text.slice(0, LONG)} />
      <button type="button" className="link-button" onClick={() => setWhole(true)}>
        Show the other {(text.length - LONG).toLocaleString('en')} characters
      </button>
    </>
  );
}

function Reasoning({ text }: { text: string }) {
  if (text.trim() === '') return null;
  return (
    <details className="fold">
      <summary>
        <Icon name="chevron" />
        Thought about it
      </summary>
      <div className="fold-text fold-prose">
        <Markdown text={text} />
      </div>
    </details>
  );
}

function FilePart({ part }: { part: Part }) {
  const name = typeof part.filename === 'string' ? part.filename : 'File';
  const kind = typeof part.mediaType === 'string' ? part.mediaType : part.type;
  return (
    <p className="file-part">
      <Icon name="archive" />
      <span>{name}</span>
      <span className="note">{kind}</span>
    </p>
  );
}
