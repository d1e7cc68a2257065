import { useEffect, useState } from 'react';
import type { ResultOf } from '../../src/faces/rpc/client/index.ts';
import { useMayWrite } from '../app/may-write.ts';
import { notify } from '../app/notices.tsx';
import { sayFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';
import { CheckpointDiff } from './checkpoint-diff.tsx';
import { CheckpointLines } from './checkpoint-lines.tsx';
import { sayVersion } from './say-version.ts';

interface Loaded {
  readonly got: ResultOf<'checkpoint/get'>;
  readonly versions: ResultOf<'checkpoint/history'>['versions'];
}

export interface CheckpointPanelProps {
  readonly session: string;
  /** Changes when there may be a new version. */
  readonly head: number;
  onShowEntry(id: string): void;
}

/** The state of the work: what all summaries add up to, every version of it, and what changed. */
export function CheckpointPanel({ session, head, onShowEntry }: CheckpointPanelProps) {
  const mayWrite = useMayWrite();
  const [version, setVersion] = useState<number>();
  const [comparing, setComparing] = useState(false);
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<unknown>();

  // A new entry may be a new version.
  useEffect(() => {
    let left = false;
    const asked = { sessionId: session, ...(version !== undefined && { version }) };
    Promise.all([
      server.call('checkpoint/get', asked),
      server.call('checkpoint/history', { sessionId: session }),
    ]).then(
      ([got, { versions }]) => !left && setLoaded({ got, versions }),
      (reason) => !left && setError(reason),
    );
    return () => {
      left = true;
    };
  }, [session, version, head]);

  if (error !== undefined) return <p className="problem">{sayFailure(error)}</p>;
  if (!loaded) return <p className="note">Loading…</p>;
  const { got, versions } = loaded;
  if (versions.length === 0)
    return (
      <p className="panel-empty">
        There is no checkpoint yet. It is made with the first summary, and says what is done, open and
        decided.
      </p>
    );

  async function restore(): Promise<void> {
    try {
      const { version: made } = await server.call('checkpoint/restore', {
        sessionId: session,
        version: got.version,
      });
      notify('good', `Version ${got.version} is the current one again, as version ${made}.`);
      setVersion(undefined);
    } catch (reason) {
      notify('bad', sayFailure(reason));
    }
  }

  const newest = got.version === got.versions;
  return (
    <div className="panel-body">
      <div className="version-row">
        <label>
          <span className="out-of-sight">Version</span>
          <select
            className="select version-select"
            value={got.version}
            onChange={({ target }) => setVersion(Number(target.value))}
          >
            {versions.toReversed().map((each) => (
              <option key={each.version} value={each.version}>
                {sayVersion(each)}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="button button-small"
          aria-pressed={comparing}
          onClick={() => setComparing(!comparing)}
        >
          What changed
        </button>
      </div>
      {!newest && (
        <p className="version-old">
          This is how it was then.{' '}
          {mayWrite && (
            <button type="button" className="link-button" onClick={restore}>
              Make it the current one
            </button>
          )}
        </p>
      )}
      {comparing ? (
        <CheckpointDiff session={session} version={got.version} />
      ) : (
        <CheckpointLines checkpoint={got.checkpoint} onShowEntry={onShowEntry} />
      )}
    </div>
  );
}
