import type { ReactNode } from 'react';
import { Icon } from '../app/icon.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { sayFailure } from '../connection/say-failure.ts';
import type { OpenState } from '../session/open-state.ts';
import type { TurnEnd } from '../session/turn-end.ts';

export interface AskProps {
  /** Nothing is asked in the trash: the session is restored first. */
  readonly trashed: boolean;
  /** The call that the button makes: under way, or what it failed with. */
  readonly asked: OpenState['asked'];
  onAsk(): void;
}

/** What became of an answer that is not complete, and the way to ask again. */
export function TurnEndNotice({ end, ...ask }: AskProps & { readonly end: TurnEnd }) {
  const { says, failed, action } = end;
  return (
    <div className="live-part live-end">
      <div className={failed ? 'problem' : 'turn-end'} role={failed ? 'alert' : 'status'}>
        <Icon name={failed ? 'warning' : 'stop'} />
        <p>
          {says}
          {failed && <span className="note"> Your message is saved.</span>}
        </p>
        <AskButton {...ask}>{action}</AskButton>
      </div>
      <AskFailure asked={ask.asked} />
    </div>
  );
}

/** Below messages that wait while nothing runs. */
export function AnswerWaiting(ask: AskProps) {
  return (
    <div className="live-part live-end">
      <AskButton {...ask}>Answer now</AskButton>
      <AskFailure asked={ask.asked} />
    </div>
  );
}

function AskButton({ trashed, asked, onAsk, children }: AskProps & { readonly children: ReactNode }) {
  const mayWrite = useMayWrite();
  if (!mayWrite || trashed) return null;
  const busy = asked !== undefined && asked.error === undefined;
  return (
    <button type="button" className="button button-small" disabled={busy} onClick={onAsk}>
      {busy ? 'Asking…' : children}
    </button>
  );
}

function AskFailure({ asked }: Pick<AskProps, 'asked'>) {
  if (asked?.error === undefined) return null;
  return (
    <p className="problem" role="alert">
      {sayFailure(asked.error)}
    </p>
  );
}
