import { sayAge } from '../app/say-time.ts';
import type { WorkSession } from './open-board.ts';

const LISTS = [
  ['blockers', 'In the way', 'blockers'],
  ['pendingItems', 'Open', 'pending'],
  ['decisions', 'Decided', 'decisions'],
  ['completedItems', 'Done', 'completed'],
] as const;

/** What all compactions of a session add up to. */
export function CheckpointState({ checkpoint }: { checkpoint: WorkSession['checkpoint'] }) {
  const { version, updatedAt, summary } = checkpoint;
  if (version === 0)
    return (
      <p className="panel-empty">
        There is no checkpoint yet. It is made with the first compaction, and says what is done, open and
        decided.
      </p>
    );
  const filled = LISTS.filter(([list]) => summary[list].length > 0);
  return (
    <>
      <p className="detail-version">
        <strong>Checkpoint {version}</strong>
        <span className="note">{sayAge(Date.parse(updatedAt))}</span>
      </p>
      {filled.length === 0 && (
        <p className="panel-empty">Nothing is open, decided or done in what was summarised.</p>
      )}
      {filled.map(([list, label, kind]) => (
        <section key={list} className="checkpoint-list" data-list={kind}>
          <h3>
            {label} <span className="note">{summary[list].length}</span>
          </h3>
          <ul>
            {summary[list].map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
