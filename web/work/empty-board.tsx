/** What to do so that something is here. */
export function EmptyBoard({ project }: { project: string | undefined }) {
  return (
    <div className="board-empty">
      <h2>{project === undefined ? 'Nothing is planned yet' : `Nothing is planned for ${project} yet`}</h2>
      <p>
        A feature has a specification and tasks; agents work on each task in sessions of its own.
        Orchestrators plan them over RPC, you do it in the project’s folder:
      </p>
      <pre>
        <code>
          {
            'npx throughline work feature auth --name "Sign in"\nnpx throughline work task auth login --title "Build the login"'
          }
        </code>
      </pre>
    </div>
  );
}
