import { useId, useState } from 'react';
import { Icon } from '../app/icon.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { sayClock } from '../app/say-time.ts';
import type { ApprovalScope, Asking } from '../session/live-turn.ts';
import { readable } from '../timeline/read-parts.ts';

export interface ApprovalCardProps {
  readonly asking: Asking;
  /** How long a yes holds; without it, a no. False if it could not be said. */
  onAnswer(toolCallId: string, scope: ApprovalScope | undefined): Promise<boolean>;
}

const LABELS: Readonly<Record<ApprovalScope, string>> = {
  once: 'Allow',
  session: 'Allow in this session',
  always: 'Always allow',
};

/** A tool that wants to run: what it is, what it is given, and the answers. Without an answer it is denied. */
export function ApprovalCard({ asking, onAnswer }: ApprovalCardProps) {
  const mayWrite = useMayWrite();
  const { toolCallId, toolName, input, scopes, until } = asking;
  const [busy, setBusy] = useState(false);
  const heading = useId();
  const answer = async (scope: ApprovalScope | undefined) => {
    setBusy(true);
    if (!(await onAnswer(toolCallId, scope))) setBusy(false);
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
            {scopes.map((scope) => (
              <button
                key={scope}
                type="button"
                className={`button button-small${scope === 'once' ? ' button-primary' : ''}`}
                disabled={busy}
                onClick={() => answer(scope)}
              >
                {LABELS[scope]}
              </button>
            ))}
            <button
              type="button"
              className="button button-small"
              disabled={busy}
              onClick={() => answer(undefined)}
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
