import { useState } from 'react';
import { readPart, sayNumber } from '../../src/faces/rpc/client/index.ts';
import type { Part } from '../../src/record/index.ts';
import { Icon } from '../app/icon.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { readable, textOf } from './read-parts.ts';

const LONG = 12_000;

/** One part of a message. A type that this version does not know is shown as it is kept. */
export function MessagePart({ part }: { part: Part }) {
  const piece = readPart(part);
  switch (piece.kind) {
    case 'said':
      return <Words text={textOf(part)} />;
    case 'thought':
      return <Reasoning text={textOf(part)} />;
    case 'file':
      return <File name={piece.name ?? 'File'} kind={piece.mediaType ?? piece.type} />;
    default:
      return (
        <details className="fold">
          <summary>Part of kind “{part.type}”</summary>
          <pre className="fold-text">{readable(part)}</pre>
        </details>
      );
  }
}

function Words({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  if (text.length <= LONG || whole) return <Markdown text={text} />;
  return (
    <>
      <Markdown text={text.slice(0, LONG)} />
      <button type="button" className="link-button" onClick={() => setWhole(true)}>
        Show the other {sayNumber(text.length - LONG)} characters
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

function File({ name, kind }: { name: string; kind: string }) {
  return (
    <p className="file-part">
      <Icon name="archive" />
      <span>{name}</span>
      <span className="note">{kind}</span>
    </p>
  );
}
