import { Icon } from '../app/icon.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { isFailure, sayFailure } from '../connection/say-failure.ts';
import { Markdown } from '../markdown/markdown.tsx';
import type { LiveTurn } from '../session/live-turn.ts';
import type { Sent } from '../session/sent.ts';
import { SPEAKERS } from '../timeline/message-row.tsx';
import { ToolLine } from '../timeline/tool-uses.tsx';
import { ApprovalCard, type ApprovalCardProps } from './approval-card.tsx';

export interface LiveAnswerProps {
  readonly live: LiveTurn | undefined;
  readonly sent: readonly Sent[];
  onAnswer: ApprovalCardProps['onAnswer'];
  onSendAgain(sent: Sent): void;
  onDrop(sent: Sent): void;
  onFork(): void;
  onAskAgain(): void;
}

/** What is not in the log yet: what one just sent, and the answer while it is being written. */
export function LiveAnswer({ live, sent, onSendAgain, onDrop, onFork, ...writing }: LiveAnswerProps) {
  const around = {
    running: live?.running === true,
    onSendAgain,
    onDrop,
    onFork,
    onAskAgain: writing.onAskAgain,
  };
  return (
    <div className="live">
      {sent.map((each) => !each.waiting && <SentMessage key={each.id} sent={each} {...around} />)}
      {live && isShown(live) && <Writing live={live} {...writing} />}
      {sent.map((each) => each.waiting && <SentMessage key={each.id} sent={each} {...around} />)}
    </div>
  );
}

function isShown({ running, text, failure }: LiveTurn): boolean {
  return running || text !== '' || failure !== undefined;
}

type SentProps = { readonly sent: Sent; readonly running: boolean } & Pick<
  LiveAnswerProps,
  'onSendAgain' | 'onDrop' | 'onFork' | 'onAskAgain'
>;

function SentMessage({ sent, running, onSendAgain, onDrop, onFork, onAskAgain }: SentProps) {
  const { text, waiting, error } = sent;
  return (
    <div className="live-part live-sent">
      <header className="row-head">
        <h3>{SPEAKERS.user}</h3>
      </header>
      <div className="row-said row-asked">
        <Markdown text={text} />
      </div>
      {error === undefined ? (
        <Pending waiting={waiting} running={running} onAskAgain={onAskAgain} />
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

interface PendingProps {
  readonly waiting: boolean;
  readonly running: boolean;
  onAskAgain(): void;
}

function Pending({ waiting, running, onAskAgain }: PendingProps) {
  const mayWrite = useMayWrite();
  if (!waiting) return <p className="note">Sending…</p>;
  if (running) return <p className="note">Stored. It comes next.</p>;
  return (
    <p className="note">
      Stored, and not answered yet.{' '}
      {mayWrite && (
        <button type="button" className="link-button" onClick={onAskAgain}>
          Ask now
        </button>
      )}
    </p>
  );
}

type WritingProps = { readonly live: LiveTurn } & Pick<LiveAnswerProps, 'onAnswer' | 'onAskAgain'>;

function Writing({ live, onAnswer, onAskAgain }: WritingProps) {
  const { text, reasoning, tools, asking, doing, failure, running } = live;
  const mayWrite = useMayWrite();
  return (
    <div className="live-part live-writing">
      {(running || text !== '') && (
        <header className="row-head">
          <h3>{SPEAKERS.assistant}</h3>
          {running && (
            <span className="live-doing note" role="status">
              <span className="pulse" aria-hidden="true" />
              {doing}…
            </span>
          )}
        </header>
      )}
      {reasoning !== '' && text === '' && <p className="live-reasoning">{reasoning.slice(-400)}</p>}
      {text !== '' && <Markdown text={text} />}
      {tools.map((use) => (
        <ToolLine key={use.id} use={use} />
      ))}
      {asking.map((each) => (
        <ApprovalCard key={each.toolCallId} asking={each} onAnswer={onAnswer} />
      ))}
      {failure && (
        <div className="problem" role="alert">
          <Icon name="warning" />
          <p>
            {failure.message}
            <span className="note"> What you said is kept.</span>
          </p>
          {mayWrite && (
            <button type="button" className="button button-small" onClick={onAskAgain}>
              Ask again
            </button>
          )}
        </div>
      )}
    </div>
  );
}
