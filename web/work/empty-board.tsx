import { Icon } from '../app/icon.tsx';

/** What to do so that something is here. */
export function EmptyBoard({
  project,
  onAdd,
}: {
  project: string | undefined;
  onAdd: (() => void) | undefined;
}) {
  return (
    <div className="board-empty">
      <h2>{project === undefined ? 'Nothing is planned yet' : `Nothing is planned for ${project} yet`}</h2>
      <p>
        A feature has a specification and tasks; agents work on each task in sessions of its own.
        Orchestrators plan them over RPC, you do it {onAdd ? 'here, or ' : ''}in the project’s folder:
      </p>
      <pre>
        <code>
          {
            'npx throughline work feature auth --name "Sign in"\nnpx throughline work task auth login --title "Build the login"'
          }
        </code>
      </pre>
      {onAdd && (
        <p>
          <button type="button" className="button button-primary" onClick={onAdd}>
            <Icon name="plus" />
            Plan a feature
          </button>
        </p>
      )}
    </div>
  );
}
