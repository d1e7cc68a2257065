import { useId, useState } from 'react';
import { Icon } from '../app/icon.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { sayClock } from '../app/say-time.ts';
import type { Asking } from '../session/live-turn.ts';
import { readable } from '../timeline/read-parts.ts';

export interface ApprovalCardProps {
  readonly asking: Asking;
  /** False if it could not be said. */
  onAnswer(toolCallId: string, approve: boolean): Promise<boolean>;
}

/** A tool that wants to run: what it is, what it is given, and the two answers. Whoever does nothing denies. */
export function ApprovalCard({ asking, onAnswer }: ApprovalCardProps) {
  const mayWrite = useMayWrite();
  const { toolCallId, toolName, input, until } = asking;
  const [busy, setBusy] = useState(false);
  const heading = useId();
  const answer = async (approve: boolean) => {
    setBusy(true);
    if (!(await onAnswer(toolCallId, approve))) setBusy(false);
  };
  return (
    <section className="approval" aria-labelledby={heading}>
      <h4 id={heading}>
        <Icon name="tool" />
        <span role="alert">
          May <strong>{toolName}</strong> run?
        </span>
      </h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <pre tabIndex={0}>{readable(input)}</pre>
      <footer>
        {mayWrite && (
          <>
            <button
              type="button"
              className="button button-primary button-small"
              disabled={busy}
              onClick={() => answer(true)}
            >
              Allow
            </button>
            <button
              type="button"
              className="button button-small"
              disabled={busy}
              onClick={() => answer(false)}
            >
              Deny
            </button>
          </>
        )}
        <p className="note">
          {mayWrite
            ? `Without an answer by ${sayClock(until)} it is not run.`
            : `You may read here, and not answer. It is not run unless somebody allows it by ${sayClock(until)}.`}
        </p>
      </footer>
    </section>
  );
}
