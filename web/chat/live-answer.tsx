import { Markdown } from '../markdown/markdown.tsx';
import type { LiveTurn } from '../session/live-turn.ts';
import type { OpenState } from '../session/open-state.ts';
import type { Sent } from '../session/sent.ts';
import { runsElsewhere, turnEnd } from '../session/turn-end.ts';
import { SPEAKERS } from '../timeline/message-row.tsx';
import { ToolLine } from '../timeline/tool-uses.tsx';
import { ApprovalCard, type ApprovalCardProps } from './approval-card.tsx';
import { SentMessage, type SentMessageProps } from './sent-message.tsx';
import { AnswerWaiting, TurnEndNotice } from './turn-end-notice.tsx';

type Shown = Pick<OpenState, 'session' | 'turn' | 'live' | 'sent' | 'asked'>;

export interface LiveAnswerProps extends Pick<SentMessageProps, 'onSendAgain' | 'onDrop' | 'onFork'> {
  readonly state: Shown;
  onAnswer: ApprovalCardProps['onAnswer'];
  onAskAgain(turn: string): void;
  onAnswerWaiting(): void;
}

/** Whether there is anything behind the last message. */
export function hasLive({ turn, live, sent }: Shown): boolean {
  const isShown = live !== undefined && isWriting(live);
  return isShown || sent.length > 0 || runsElsewhere(turn, live) || turnEnd(turn, live) !== undefined;
}

/** What stands behind the last message: the answer while it is written, how it ended if it is not complete, what waits. */
export function LiveAnswer({ state, onAnswer, onAskAgain, onAnswerWaiting, ...onSent }: LiveAnswerProps) {
  const { session, turn, live, sent, asked } = state;
  const trashed = session?.place === 'trashed';
  const elsewhere = runsElsewhere(turn, live);
  const running = live?.running === true || elsewhere;
  const end = turnEnd(turn, live);
  const around = { running, unfinished: end !== undefined, ...onSent };
  const show = (each: Sent) => <SentMessage key={each.id} sent={each} {...around} />;

  const asking = sent.filter(({ id, is }) => is === 'sending' && live?.running && live.turn === id);
  const added = sent.filter(({ is }) => is === 'adding' || is === 'added');
  const rest = sent.filter((each) => !asking.includes(each) && !added.includes(each));
  const stored = sent.filter(({ is }) => is === 'waiting');
  return (
    <div className="live">
      {asking.map(show)}
      {live && isWriting(live) && <Writing live={live} onAnswer={onAnswer} />}
      {elsewhere && <Elsewhere />}
      {added.map(show)}
      {end && <TurnEndNotice end={end} trashed={trashed} asked={asked} onAsk={() => onAskAgain(end.turn)} />}
      {rest.map(show)}
      {stored.length > 0 && !running && (
        <AnswerWaiting trashed={trashed} asked={end ? undefined : asked} onAsk={onAnswerWaiting} />
      )}
    </div>
  );
}

function isWriting({ running, text }: LiveTurn): boolean {
  return running || text !== '';
}

/** Its events do not come to this page; its messages do. */
function Elsewhere() {
  return (
    <div className="live-part live-writing">
      <header className="row-head">
        <h3>{SPEAKERS.assistant}</h3>
        <Doing>Being answered…</Doing>
      </header>
    </div>
  );
}

function Doing({ children }: { children: React.ReactNode }) {
  return (
    <span className="live-doing note" role="status">
      <span className="pulse" aria-hidden="true" />
      {children}
    </span>
  );
}

function Writing({ live, onAnswer }: { readonly live: LiveTurn } & Pick<LiveAnswerProps, 'onAnswer'>) {
  const { text, reasoning, tools, asking, doing, running } = live;
  return (
    <div className="live-part live-writing">
      <header className="row-head">
        <h3>{SPEAKERS.assistant}</h3>
        {running && <Doing>{doing}…</Doing>}
      </header>
      {reasoning !== '' && text === '' && <p className="live-reasoning">{reasoning.slice(-400)}</p>}
      {text !== '' && <Markdown text={text} />}
      {tools.map((use) => (
        <ToolLine key={use.id} use={use} />
      ))}
      {asking.map((each) => (
        <ApprovalCard key={each.toolCallId} asking={each} onAnswer={onAnswer} />
      ))}
    </div>
  );
}
