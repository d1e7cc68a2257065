import { sayCount } from '../../src/faces/rpc/client/index.ts';
import { Icon } from '../app/icon.tsx';
import type { SessionLink } from './open-board.ts';
import { WorkSessionLine } from './work-session-line.tsx';

/** The sessions of a task or a feature: the one that goes on in full, those before it folded. */
export function TaskSessions({ links, of }: { links: readonly SessionLink[]; of: string }) {
  const newest = links.toReversed();
  const current = newest.find(({ ended }) => !ended) ?? newest[0];
  if (!current) return null;
  const others = newest.filter((link) => link !== current);
  return (
    <div className="task-sessions">
      <ul aria-label={`Sessions of ${of}`}>
        <li>
          <WorkSessionLine link={current} />
        </li>
      </ul>
      {others.length > 0 && (
        <details className="fold">
          <summary>
            <Icon name="chevron" />
            {sayCount(others.length, 'other session')}
          </summary>
          <ul aria-label={`Other sessions of ${of}`}>
            {others.map((link) => (
              <li key={link.session}>
                <WorkSessionLine link={link} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
