import { useEffect, useState } from 'react';
import type { ResultOf } from '../../src/rpc/client/index.ts';
import { addressOf } from '../app/route.ts';
import { count } from '../app/say-amounts.ts';
import { sayDate } from '../app/say-time.ts';
import { sayFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';
import { SPEAKERS } from '../timeline/message-row.tsx';
import { splitMarked } from './split-marked.ts';

type Found = ResultOf<'search'>;
/** Private characters: nothing that anybody writes, so that what a message says is never taken for a mark. */
const MARK: [string, string] = ['\ue000', '\ue001'];

/** Everything ever said that fits, compacted or not; each hit leads to its place. */
export function SearchResults({ query }: { query: string }) {
  const { found, error } = useSearch(query);
  if (error !== undefined) return <p className="list-note">{sayFailure(error)}</p>;
  if (!found) return <p className="list-note">Searching…</p>;
  const { hits, behind } = found;
  return (
    <section aria-label="Search results">
      <p className="list-note" role="status">
        {hits.length === 0 ? 'Nothing was found. Try fewer or other words.' : count(hits.length, 'hit')}
        {behind && ` The index is still being made: ${behind.done} of ${behind.total}.`}
      </p>
      <ul>
        {hits.map(({ session, title, entry, seq, role, at, snippet }) => (
          <li key={`${session} ${entry}`}>
            <a className="session-link hit" href={addressOf({ session, at: seq })}>
              <span className="session-title">{title}</span>
              <span className="hit-snippet">
                {splitMarked(snippet, MARK).map(({ text, marked }, index) =>
                  marked ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
                )}
              </span>
              <span className="session-about note">
                <span>{SPEAKERS[role]}</span>
                <span>{sayDate(at)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useSearch(query: string): { found: Found | undefined; error: unknown } {
  const [state, setState] = useState<{ found: Found | undefined; error: unknown }>({
    found: undefined,
    error: undefined,
  });
  useEffect(() => {
    let left = false;
    const timer = setTimeout(async () => {
      const next = await server.call('search', { query, limit: 40, mark: MARK }).then(
        (found) => ({ found, error: undefined }),
        (error: unknown) => ({ found: undefined, error }),
      );
      if (!left) setState(next);
    }, 160);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [query]);
  return state;
}
