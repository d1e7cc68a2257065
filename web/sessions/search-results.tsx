import { useEffect, useState } from 'react';
import { type ResultOf, sayCount, sayTitle } from '../../src/faces/rpc/client/index.ts';
import { addressOf } from '../app/route.ts';
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
type Called = Pick<Found['sessions'][number], 'id' | 'title' | 'updatedAt'> & {
  readonly by?: string;
};
/** Private characters: characters that no text has, so that a message is never taken for a mark. */
const MARK: [string, string] = ['\ue000', '\ue001'];

/** Everything ever said that fits, compacted or not; each hit leads to its place. */
export function SearchResults({ query }: { query: string }) {
  const { found, error } = useSearch(query);
  if (error !== undefined) return <p className="list-note">{sayFailure(error)}</p>;
  if (!found) return <p className="list-note">Searching…</p>;
  const { hits, more, loose, sessions, behind, named } = found;
  const called: Called[] = [...(named ? [named] : []), ...sessions.filter(({ id }) => id !== named?.id)];
  return (
    <section aria-label="Search results">
      <p className="list-note" role="status">
        {hits.length > 0
          ? more
            ? `The ${hits.length} best hits; there are more.`
            : `${sayCount(hits.length, 'hit')}.`
          : called.length > 0
            ? called.some(({ by }) => by !== 'file')
              ? 'No message has it, but a session is called so.'
              : 'No message has it, but a session worked on this file.'
            : 'Nothing was found. Try fewer or other words.'}
        {loose && ' No message holds what is in quotes: these were found without the quotes.'}
        {behind && ` The index is still being made: ${behind.done} of ${behind.total}.`}
      </p>
      <ul>
        {called.map((session) => (
          <li key={session.id}>
            <FoundSession {...session} />
          </li>
        ))}
      </ul>
      {[...Map.groupBy(hits, ({ session }) => session)].map(([session, some]) => (
        <section key={session} className="found-in" aria-label={sayTitle(some[0]!.title, session)}>
          <h2 className="session-title">{sayTitle(some[0]!.title, session)}</h2>
          <ul>
            {some.map((hit) => (
              <li key={hit.entry}>
                <FoundMessage {...hit} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

function FoundSession({ id, title, updatedAt, by }: Called) {
  return (
    <a className="session-link hit" href={addressOf({ session: id })}>
      <span className="session-title">{sayTitle(title, id)}</span>
      <span className="session-about note">
        <span>{by === 'file' ? 'Worked on this file' : 'The whole session'}</span>
        <span>{sayDate(updatedAt)}</span>
      </span>
    </a>
  );
}

function FoundMessage({ session, seq, role, at, snippet, alike }: Found['hits'][number]) {
  return (
    <a className="session-link hit" href={addressOf({ session, at: seq })}>
      <span className="hit-snippet">
        {splitMarked(snippet, MARK).map(({ text, marked }, index) =>
          marked ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
        )}
      </span>
      <span className="session-about note">
        <span>{SPEAKERS[role]}</span>
        <span>{sayDate(at)}</span>
        {alike > 0 && <span>and {alike} alike</span>}
      </span>
    </a>
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
