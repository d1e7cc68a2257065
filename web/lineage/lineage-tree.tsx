import { type KeyboardEvent, useEffect, useState } from 'react';
import { type ResultOf, sayCount } from '../../src/faces/rpc/client/index.ts';
import { Icon } from '../app/icon.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { addressOf } from '../app/route.ts';
import { sayAge } from '../app/say-time.ts';
import { sayFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';

type Lineage = ResultOf<'chat/session/lineage'>;
type Node = Lineage['root'];

export interface LineageTreeProps {
  readonly session: string;
  readonly head: number;
  onFork(session: Node['session']): void;
}

/** The parents of a session, and the forks and resumed sessions of each. */
export function LineageTree({ session, head, onFork }: LineageTreeProps) {
  const [lineage, setLineage] = useState<Lineage>();
  const [error, setError] = useState<unknown>();
  // A merge is an entry.
  useEffect(() => {
    let left = false;
    server.call('chat/session/lineage', { sessionId: session }).then(
      (got) => !left && setLineage(got),
      (reason) => !left && setError(reason),
    );
    return () => {
      left = true;
    };
  }, [session, head]);
  if (error !== undefined) return <p className="problem">{sayFailure(error)}</p>;
  if (!lineage) return <p className="note">Loading…</p>;
  return (
    <div className="panel-body">
      {lineage.missing && <p className="note">It began with “{lineage.missing}”, which was purged.</p>}
      <ul className="lineage" aria-label="Lineage" onKeyDown={walk}>
        <LineageBranch node={lineage.root} session={session} onFork={onFork} />
      </ul>
      <p className="note">
        A fork shares everything up to its entry; nothing is copied. Any message in the timeline can be forked
        from.
      </p>
    </div>
  );
}

function LineageBranch({
  node,
  session,
  onFork,
}: {
  node: Node;
  session: string;
  onFork: LineageTreeProps['onFork'];
}) {
  const { session: each, branchedAt, children, merges } = node;
  const mayWrite = useMayWrite();
  const here = each.id === session;
  return (
    <li>
      <div className={here ? 'lineage-node lineage-here' : 'lineage-node'}>
        <a href={addressOf({ session: each.id })} aria-current={here ? 'page' : undefined}>
          <span className="lineage-title">{each.title || each.id}</span>
          <span className="note">
            {sayRelation(each.relation, branchedAt)}
            {sayCount(each.messages, 'message')} · {sayAge(each.updatedAt)}
            {merges.length > 0 && ` · merged ${sayCount(merges.length, 'branch', 'branches')}`}
          </span>
        </a>
        {mayWrite && (
          <button
            type="button"
            className="button button-plain button-small"
            title="Fork from its newest entry"
            onClick={() => onFork(each)}
          >
            <Icon name="branch" />
            <span className="out-of-sight">Fork “{each.title || each.id}”</span>
          </button>
        )}
      </div>
      {children.length > 0 && (
        <ul>
          {children.map((child) => (
            <LineageBranch key={child.session.id} node={child} session={session} onFork={onFork} />
          ))}
        </ul>
      )}
    </li>
  );
}

function sayRelation(relation: Node['session']['relation'], at: number | null): string {
  if (relation === null) return '';
  return relation === 'fork' ? `forked after ${at} · ` : 'resumed · ';
}

/** Up and down through the family as it is drawn. */
function walk(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  links[links.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  event.preventDefault();
}
