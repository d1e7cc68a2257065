import { memo, useState } from 'react';
import { sayCount } from '../../src/faces/rpc/client/index.ts';
import { Icon } from '../app/icon.tsx';
import { useLiveTool } from './live-tools.ts';
import { describeInput, readable } from './read-parts.ts';
import type { ToolUse } from './shown.ts';
import { WholeButton } from './whole-button.tsx';

const FEW = 3;

/** The tools between two things that were said: a few as lines, many folded into one. */
export const ToolUses = memo(function ToolUses({ uses }: { uses: readonly ToolUse[] }) {
  const [open, setOpen] = useState(false);
  if (uses.length <= FEW) return <ToolLines uses={uses} />;
  const failed = uses.filter(({ result }) => result?.failed).length;
  return (
    <div className="tools">
      <button type="button" className="tool-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="chevron" />
        <strong>{sayCount(uses.length, 'tool call')}</strong>
        <span className="tool-about">{listNames(uses)}</span>
        {failed > 0 && <span className="badge badge-bad">{failed} failed</span>}
      </button>
      {open && <ToolLines uses={uses} />}
    </div>
  );
});

function ToolLines({ uses }: { uses: readonly ToolUse[] }) {
  return (
    <ul className="tools">
      {uses.map((use) => (
        <li key={use.id}>
          <ToolLine use={use} />
        </li>
      ))}
    </ul>
  );
}

export function ToolLine({ use: { id, name, input, message, result } }: { use: ToolUse }) {
  const [open, setOpen] = useState(false);
  const live = useLiveTool(id);
  return (
    <>
      <button type="button" className="tool-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="chevron" />
        <strong>{name}</strong>
        <span className="tool-about">{describeInput(input)}</span>
        {!result && <span className="badge">{live ?? 'no result'}</span>}
        {result?.failed && <span className="badge badge-bad">failed</span>}
      </button>
      {open && (
        <dl className="tool-detail">
          <dt>Input</dt>
          <dd>
            <pre>{readable(input)}</pre>
            <WholeButton value={input} message={message} />
          </dd>
          <dt>{result?.failed ? 'Error' : 'Result'}</dt>
          <dd>
            <pre>{result ? readable(result.output) : live ? 'Not yet.' : 'Nothing came back.'}</pre>
            {result && <WholeButton value={result.output} message={result.message} />}
          </dd>
        </dl>
      )}
    </>
  );
}

function listNames(uses: readonly ToolUse[]): string {
  const counts = new Map<string, number>();
  for (const { name } of uses) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, times]) => (times > 1 ? `${name} × ${times}` : name)).join(', ');
}
