import { Icon } from '../app/icon.tsx';
import type { WorkSession } from './open-board.ts';

/** Where a loop stands: which try it was, what passed, what failed, and what the last failure said. */
export function LoopState({ loop }: { loop: NonNullable<WorkSession['loop']> }) {
  const { iteration, passed, failed, lastError } = loop;
  return (
    <section className="loop-state" aria-label="Loop">
      <h3>Iteration {iteration}</h3>
      <Checks label="Failed checks" checks={failed} bad />
      <Checks label="Passed checks" checks={passed} />
      {failed.length === 0 && <p className="note">Every check passes.</p>}
      {lastError !== null && lastError !== '' && (
        <figure>
          <figcaption className="note">Last error</figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
          <pre tabIndex={0}>{lastError}</pre>
        </figure>
      )}
    </section>
  );
}

function Checks({ label, checks, bad = false }: { label: string; checks: readonly string[]; bad?: boolean }) {
  if (checks.length === 0) return null;
  return (
    <ul aria-label={label}>
      {checks.map((check) => (
        <li key={check} className={bad ? 'badge badge-bad' : 'badge badge-good'}>
          <Icon name={bad ? 'close' : 'check'} />
          {check}
        </li>
      ))}
    </ul>
  );
}
