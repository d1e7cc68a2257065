import { Icon } from '../app/icon.tsx';
import { isFailure, sayFailure } from '../connection/say-failure.ts';
import { Markdown } from '../markdown/markdown.tsx';
import type { Sent } from '../session/sent.ts';
import { SPEAKERS } from '../timeline/message-row.tsx';

export interface SentMessageProps {
  readonly sent: Sent;
  readonly running: boolean;
  /** The turn before it has no whole answer. */
  readonly unfinished: boolean;
  onSendAgain(sent: Sent): void;
  onDrop(sent: Sent): void;
  onFork(): void;
}

/** A message that is not in the timeline yet, with where it is on its way, or why it could not be sent. */
export function SentMessage({ sent, running, unfinished, onSendAgain, onDrop, onFork }: SentMessageProps) {
  const { text, error } = sent;
  return (
    <div className="live-part live-sent">
      <header className="row-head">
        <h3>{SPEAKERS.user}</h3>
      </header>
      <div className="row-said row-asked">
        <Markdown text={text} />
      </div>
      {error === undefined ? (
        <p className="note">{sayState(sent, { running, unfinished })}</p>
      ) : (
        <div className="problem" role="alert">
          <Icon name="warning" />
          <p>{sayFailure(error)}</p>
          <button type="button" className="button button-small" onClick={() => onSendAgain(sent)}>
            Try again
          </button>
          {isFailure(error, 'lease-held') && (
            <button type="button" className="button button-small" onClick={onFork}>
              Fork and go on there
            </button>
          )}
          <button type="button" className="button button-plain button-small" onClick={() => onDrop(sent)}>
            Discard
          </button>
        </div>
      )}
    </div>
  );
}

function sayState({ is }: Sent, { running, unfinished }: { running: boolean; unfinished: boolean }): string {
  switch (is) {
    case 'sending':
      return 'Sending…';
    case 'adding':
      return 'Adding to this answer…';
    case 'added':
      return running
        ? 'Added to this answer. The model reads it at its next step.'
        : 'Stored. The model reads it when the question is asked again.';
    case 'waiting':
      if (running) return 'Stored. Answered next.';
      return unfinished ? 'Stored. Answered after the question above.' : 'Stored, and not answered yet.';
  }
}
