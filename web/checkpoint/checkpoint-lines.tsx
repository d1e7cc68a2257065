import type { ResultOf } from '../../src/faces/rpc/client/index.ts';

type Checkpoint = ResultOf<'checkpoint/get'>['checkpoint'];

export const LISTS = [
  ['pending', 'Open'],
  ['blockers', 'In the way'],
  ['decisions', 'Decided'],
  ['completed', 'Done'],
  ['facts', 'Facts'],
] as const;

/** The lists, each line with the way to where it was said. */
export function CheckpointLines({
  checkpoint,
  onShowEntry,
}: {
  checkpoint: Checkpoint;
  onShowEntry(id: string): void;
}) {
  const filled = LISTS.filter(([list]) => checkpoint[list].length > 0);
  return (
    <>
      {filled.length === 0 && (
        <p className="panel-empty">Nothing is open, decided or done in what was summarised.</p>
      )}
      {filled.map(([list, label]) => (
        <section key={list} className="checkpoint-list" data-list={list}>
          <h3>
            {label} <span className="note">{checkpoint[list].length}</span>
          </h3>
          <ul>
            {checkpoint[list].map(({ text, from }, index) => (
              <li key={index}>
                <span>{text}</span>
                {from[0] !== undefined && (
                  <button
                    type="button"
                    className="why"
                    title="Where this was said"
                    onClick={() => onShowEntry(from[0]!)}
                  >
                    why
                    <span className="out-of-sight"> “{text.slice(0, 60)}”</span>
                  </button>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {checkpoint.files.length > 0 && (
        <section className="checkpoint-list">
          <h3>
            Files <span className="note">{checkpoint.files.length}</span>
          </h3>
          <ul className="file-list">
            {checkpoint.files.slice(0, 40).map(({ path, operations }) => (
              <li key={path}>
                <code>{path}</code>
                <span className="note">{operations.join(', ')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
