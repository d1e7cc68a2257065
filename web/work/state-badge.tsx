import { sayState } from './workflow.ts';

const TONES: Record<string, string> = {
  done: 'badge badge-good',
  blocked: 'badge badge-bad',
};

/** The state in words; the colour only repeats it. */
export function StateBadge({ state }: { state: string }) {
  return (
    <span className={TONES[state] ?? 'badge'}>
      <span className="out-of-sight">State: </span>
      {sayState(state)}
    </span>
  );
}
