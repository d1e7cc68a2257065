import { type KeyboardEvent, useEffect, useRef } from 'react';
import { type SessionRecord, sayCount, sayTitle } from '../../src/faces/rpc/client/index.ts';
import { addressOf } from '../app/route.ts';
import { sayAge, sayPeriod } from '../app/say-time.ts';
import { useMinute } from '../app/use-minute.ts';
import { sayFailure } from '../connection/say-failure.ts';
import { useWatched } from '../connection/watched.ts';
import { type Filter, listedSessions } from './listed-sessions.ts';

/** The sessions, the one that something was last said in first. */
export function SessionList({ current }: { current: string | undefined }) {
  const { sessions, cursor, loaded, error, filter } = useWatched(listedSessions.state);
  useMinute();
  if (error !== undefined && sessions.length === 0) return <p className="list-note">{sayFailure(error)}</p>;
  if (!loaded && sessions.length === 0) return <p className="list-note">Loading the sessions…</p>;
  if (sessions.length === 0) return <p className="list-note">{sayNone(filter)}</p>;
  const periods = Map.groupBy(sessions, ({ updatedAt }) => sayPeriod(updatedAt));
  return (
    <nav aria-label="Sessions" onKeyDown={moveBetweenLinks}>
      {[...periods].map(([period, group]) => (
        <section key={period} className="period">
          <h2>{period}</h2>
          <ul>
            {group.map((session) => (
              <li key={session.id}>
                <SessionLink session={session} current={session.id === current} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {cursor !== null && <MoreSessions key={cursor} />}
    </nav>
  );
}

function SessionLink({ session, current }: { session: SessionRecord; current: boolean }) {
  const { id, title, tags, messages, updatedAt, project, relation } = session;
  return (
    <a className="session-link" href={addressOf({ session: id })} aria-current={current ? 'page' : undefined}>
      <span className="session-title">{sayTitle(title)}</span>
      <span className="session-about note">
        <span>{sayAge(updatedAt)}</span>
        <span>{sayCount(messages, 'message')}</span>
        {relation && <span>{relation === 'fork' ? 'fork' : 'resumed'}</span>}
        {project && <span className="session-project">{nameOf(project)}</span>}
      </span>
      {tags.length > 0 && (
        <span className="session-tags">
          {tags.slice(0, 4).map((tag) => (
            <span key={tag} className="chip">
              <span>{tag}</span>
            </span>
          ))}
        </span>
      )}
    </a>
  );
}

/** A project's folder is long, and its last name says it. */
export function nameOf(project: string): string {
  const { projects } = listedSessions.state.value;
  const known = projects.find(
    ({ id, folder, labels }) => id === project || folder === project || labels.includes(project),
  );
  return known?.name ?? project.split(/[\\/]/).filter(Boolean).at(-1) ?? project;
}

function sayNone({ tag, project, place }: Filter): string {
  if (tag !== undefined || project !== undefined) return 'No session fits this choice.';
  if (place === 'trashed') return 'The trash is empty.';
  if (place === 'archived') return 'Nothing is archived.';
  return 'No sessions yet. Start one, or import what other agents left behind with “throughline import”.';
}

function MoreSessions() {
  const end = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && listedSessions.loadMore(),
    );
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <button
      ref={end}
      type="button"
      className="button button-plain list-more"
      onClick={() => listedSessions.loadMore()}
    >
      Show more sessions
    </button>
  );
}

function moveBetweenLinks(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a.session-link')];
  links[links.indexOf(document.activeElement as HTMLAnchorElement) + step]?.focus();
  event.preventDefault();
}
