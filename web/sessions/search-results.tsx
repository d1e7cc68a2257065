import { useEffect, useState } from 'react';
import type { ResultOf } from '../../src/rpc/client/index.ts';
import { addressOf } from '../app/route.ts';
import { count } from '../app/say-amounts.ts';
import { sayDate } from '../app/say-time.ts';
import { sayFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';
import { SPEAKERS } from '../timeline/message-row.tsx';
import { splitMarked } from './split-marked.ts';

type Named = ResultOf<'session/find'>['candidates'][number];
type Found = ResultOf<'search'> & {
  /** The one session that is called so, or whose id was pasted. */
  readonly named: Named | undefined;
};
/** Private characters: nothing that anybody writes, so that what a message says is never taken for a mark. */
const MARK: [string, string] = ['\ue000', '\ue001'];

/** Everything ever said that fits, compacted or not; each hit leads to its place. */
export function SearchResults({ query }: { query: string }) {
  const { found, error } = useSearch(query);
  if (error !== undefined) return <p className="list-note">{sayFailure(error)}</p>;
  if (!found) return <p className="list-note">Searching…</p>;
  const { hits, behind, named } = found;
  return (
    <section aria-label="Search results">
      <p className="list-note" role="status">
        {hits.length > 0
          ? count(hits.length, 'hit')
          : named
            ? 'Nothing was said about it, but a session is called so.'
            : 'Nothing was found. Try fewer or other words.'}
        {behind && ` The index is still being made: ${behind.done} of ${behind.total}.`}
      </p>
      <ul>
        {named && (
          <li key={named.id}>
            <a className="session-link hit" href={addressOf({ session: named.id })}>
              <span className="session-title">{named.title || named.id}</span>
              <span className="session-about note">
                <span>The whole session</span>
                <span>{sayDate(named.updatedAt)}</span>
              </span>
            </a>
          </li>
        )}
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

async function search(query: string): Promise<Found> {
  const [found, { match, candidates }] = await Promise.all([
    server.call('search', { query, limit: 40, mark: MARK }),
    server.call('session/find', { text: query, trashed: true }),
  ]);
  return { ...found, named: candidates.find(({ id, by }) => id === match && by !== 'number') };
}

function useSearch(query: string): { found: Found | undefined; error: unknown } {
  const [state, setState] = useState<{ found: Found | undefined; error: unknown }>({
    found: undefined,
    error: undefined,
  });
  useEffect(() => {
    let left = false;
    const timer = setTimeout(async () => {
      const next = await search(query).then(
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
