import { useEffect, useState } from 'react';
import type { ResultOf } from '../../src/faces/rpc/client/index.ts';
import { sayFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';
import { LISTS } from './checkpoint-lines.tsx';

type Diff = ResultOf<'checkpoint/diff'>;
const SIGNS = { added: '+', removed: '−', reworded: '~' } as const;

/** What a version changed, line by line, since the one before it or any other. */
export function CheckpointDiff({ session, version }: { session: string; version: number }) {
  const [from, setFrom] = useState(version - 1);
  const [diff, setDiff] = useState<Diff>();
  const [error, setError] = useState<unknown>();
  useEffect(() => setFrom(version - 1), [version]);
  useEffect(() => {
    let left = false;
    server.call('checkpoint/diff', { sessionId: session, from: Math.min(from, version), to: version }).then(
      (got) => !left && setDiff(got),
      (reason) => !left && setError(reason),
    );
    return () => {
      left = true;
    };
  }, [session, from, version]);
  if (error !== undefined) return <p className="problem">{sayFailure(error)}</p>;
  if (!diff) return <p className="note">Comparing…</p>;
  return (
    <section className="diff" aria-label="What changed">
      <label className="note diff-from">
        Since{' '}
        <select className="select" value={from} onChange={({ target }) => setFrom(Number(target.value))}>
          {Array.from({ length: version }, (_, older) => version - 1 - older).map((older) => (
            <option key={older} value={older}>
              {older === 0 ? 'the beginning' : `version ${older}`}
            </option>
          ))}
        </select>
      </label>
      {diff.changes.length === 0 && <p className="panel-empty">Nothing changed.</p>}
      <ul>
        {diff.changes.map(({ list, change, text, was }) => (
          <li key={`${list} ${change} ${text}`} data-change={change}>
            <span aria-hidden="true">{SIGNS[change]}</span>
            <div>
              <span className="note">
                {LISTS.find(([name]) => name === list)?.[1] ?? list}, {change}
              </span>
              <p>{text}</p>
              {was !== undefined && (
                <p className="diff-was">
                  <s>{was}</s>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
