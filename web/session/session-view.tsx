import { type RefObject, useEffect, useMemo, useState } from 'react';
import { sayTitle } from '../../src/faces/rpc/client/index.ts';
import { Inspector, type Panel } from '../app/inspector.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { notify } from '../app/notices.tsx';
import { AnswerProblems } from '../chat/answer-problems.tsx';
import { Composer } from '../chat/composer.tsx';
import { hasLive, LiveAnswer } from '../chat/live-answer.tsx';
import { type Model, ModelPicker } from '../chat/model-picker.tsx';
import { CheckpointPanel } from '../checkpoint/checkpoint-panel.tsx';
import { sayFailure } from '../connection/say-failure.ts';
import { useWatched } from '../connection/watched.ts';
import { AutoCompactedNotice } from '../context/auto-compacted.tsx';
import { CompactDialog } from '../context/compact-dialog.tsx';
import { ContextMeter } from '../context/context-meter.tsx';
import { ForkDialog, type Forking } from '../lineage/fork-dialog.tsx';
import { LineageTree } from '../lineage/lineage-tree.tsx';
import { buildRows } from '../timeline/build-rows.ts';
import { type LiveTools, LiveToolsContext } from '../timeline/live-tools.ts';
import { Timeline } from '../timeline/timeline.tsx';
import { type TimelineActions, TimelineActionsContext } from '../timeline/timeline-actions.ts';
import { type TurnMarks, TurnMarksContext } from '../timeline/turn-marks.ts';
import type { LiveTurn } from './live-turn.ts';
import { expandCompaction, pinMessage, restoreSession, showEntry } from './session-actions.ts';
import { SessionHeader } from './session-header.tsx';
import { turnEnd } from './turn-end.ts';
import { UnreadableSession } from './unreadable-session.tsx';
import { useOpenSession } from './use-open-session.ts';
import { useReconnection } from './use-reconnection.ts';

export interface SessionViewProps {
  readonly id: string;
  readonly at: number | undefined;
  readonly panel: Panel | undefined;
  readonly models: readonly Model[];
  readonly compacting: boolean;
  readonly writeField: RefObject<HTMLTextAreaElement | null>;
  onCompacting(on: boolean): void;
  onPanel(panel: Panel | undefined): void;
  onMenu(): void;
}

/** One session: its head, its timeline, where one writes, and the column about it. */
export function SessionView(props: SessionViewProps) {
  const { id, at, panel, models, compacting, writeField, onCompacting, onPanel, onMenu } = props;
  const mayWrite = useMayWrite();
  const { open, talk } = useOpenSession(id, at);
  const state = useWatched(open.state);
  useReconnection(open, at);
  const [forking, setForking] = useState<Forking>();
  const { session, turn, live, meter, autoCompacted, messages, older, newer, compactions, originals, error } =
    state;
  const title = sayTitle(session?.title ?? '', 'this session');
  const running = live?.running === true;
  const trashed = session?.place === 'trashed';
  const liveTools = useMemo(() => toolsOf(live), [live?.tools, live?.asking]);
  const showsLive = hasLive(state);
  const saidBelow = turnEnd(turn, live) && (turn?.answer ?? undefined);
  const marks = useMemo((): TurnMarks => ({ saidBelow, reasons: state.reasons }), [saidBelow, state.reasons]);

  const opened = state.visit > 0;
  const { relation, parent } = session ?? {};
  const origin = useMemo(() => (relation && parent ? { relation, parent } : undefined), [relation, parent]);
  const rows = useMemo(
    () =>
      buildRows({
        messages,
        compactions,
        originals,
        fromStart: older === null && opened,
        toEnd: newer === null,
        live: showsLive,
        origin,
      }),
    [messages, compactions, originals, older, newer, origin, opened, showsLive],
  );
  const actions = useMemo(
    (): TimelineActions => ({
      toggleOriginals: (compaction) => open.toggleOriginals(compaction).catch(say),
      loadOriginals: (compaction, side) => open.loadOriginals(compaction, side),
      setExpanded: (compaction, expanded) => expandCompaction(open, compaction.id, expanded),
      loadWhole: (message) => open.loadWhole(message).catch(say),
      setPinned: (message, pinned) => pinMessage(open, message, pinned),
      forkAt: ({ seq }) => setForking({ session: id, title, at: seq }),
    }),
    [open, id, title],
  );

  useEffect(() => {
    document.title = session?.title ? `${session.title} · Throughline` : 'Throughline';
  }, [session?.title]);

  if (error !== undefined && !session) return <UnreadableSession id={id} error={error} onMenu={onMenu} />;
  const undo = (compaction: string) => {
    open.state.change({ autoCompacted: undefined });
    expandCompaction(open, compaction, true);
  };
  const placed = autoCompacted?.compactionId;
  return (
    <>
      <main className="session" id="main">
        <SessionHeader
          session={session}
          meter={meter}
          panelOpen={panel !== undefined}
          onMenu={onMenu}
          onPanel={() => onPanel(panel === undefined ? 'context' : undefined)}
          onCompact={() => onCompacting(true)}
          onLabelled={(changed) => open.state.change({ session: changed })}
        />
        <TimelineActionsContext value={actions}>
          <LiveToolsContext value={liveTools}>
            <TurnMarksContext value={marks}>
              <Timeline
                rows={rows}
                place={`${id} ${state.visit}`}
                target={state.target}
                older={older !== null}
                newer={newer !== null}
                onOlder={open.loadOlder}
                onNewer={open.loadNewer}
                onNewest={() => open.goTo()}
                live={
                  <LiveAnswer
                    state={state}
                    onAnswer={(call, scope) => talk.answerTool(call, scope).then(() => true, fail)}
                    onSendAgain={(each) => talk.sendAgain(each)}
                    onDrop={(each) => talk.drop(each)}
                    onAskAgain={(unfinished) => talk.askAgain(unfinished)}
                    onAnswerWaiting={() => talk.answerWaiting()}
                    onFork={() => setForking({ session: id, title, at: undefined })}
                  />
                }
              />
            </TurnMarksContext>
          </LiveToolsContext>
        </TimelineActionsContext>
        {error !== undefined && (
          <p className="problem session-problem" role="alert">
            {sayFailure(error)}
          </p>
        )}
        {autoCompacted && (
          <AutoCompactedNotice
            done={autoCompacted}
            onUndo={placed === undefined ? undefined : () => undo(placed)}
            onDismiss={() => open.state.change({ autoCompacted: undefined })}
          />
        )}
        {trashed && (
          <div className="auto-compacted" role="status">
            <p>This session is in the trash.</p>
            {mayWrite && (
              <button type="button" className="link-button" onClick={() => restoreSession(open)}>
                Restore
              </button>
            )}
          </div>
        )}
        <AnswerProblems meter={meter} />
        <p role="status" className="out-of-sight">
          {live && !running && turn?.id === live.turn && turn.status === 'complete'
            ? 'The answer is complete.'
            : ''}
        </p>
        <Composer
          key={id}
          draft={id}
          field={writeField}
          running={running}
          blocked={whatBlocks({ mayWrite, trashed })}
          onSend={(text) => talk.send(text)}
          onAdd={(text) => talk.add(text)}
          onStop={() => talk.stop().catch(say)}
        >
          {mayWrite && (
            <ModelPicker
              model={modelOf(session)}
              models={models}
              answeredBy={meter?.answeredBy}
              onChoose={(model) => talk.chooseModel(model).catch(say)}
            />
          )}
        </Composer>
      </main>
      {panel && (
        <Inspector panel={panel} onChoose={onPanel} onClose={() => onPanel(undefined)}>
          {panel === 'context' && <ContextMeter meter={meter} onCompact={() => onCompacting(true)} />}
          {panel === 'checkpoint' && session && (
            <CheckpointPanel session={id} head={session.head} onShowEntry={(entry) => showEntry(id, entry)} />
          )}
          {panel === 'lineage' && session && (
            <LineageTree
              session={id}
              head={session.head}
              onFork={(from) => setForking({ session: from.id, title: from.title, at: undefined })}
            />
          )}
        </Inspector>
      )}
      {compacting && <CompactDialog session={id} onClose={() => onCompacting(false)} onUndo={undo} />}
      {forking && <ForkDialog from={forking} onClose={() => setForking(undefined)} />}
    </>
  );
}

function whatBlocks({ mayWrite, trashed }: { mayWrite: boolean; trashed: boolean }): string | undefined {
  if (!mayWrite) return 'You may read here, and not write';
  return trashed ? 'Restore the session to write in it' : undefined;
}

function modelOf(session: { model: string | null; provider: string | null } | undefined): string | undefined {
  if (!session?.model) return undefined;
  const { provider, model } = session;
  return provider && !model.startsWith(`${provider}:`) ? `${provider}:${model}` : model;
}

function toolsOf(live: LiveTurn | undefined): LiveTools {
  return new Map([
    ...(live?.tools ?? []).map(({ id }) => [id, 'running'] as const),
    ...(live?.asking ?? []).map(({ toolCallId }) => [toolCallId, 'waiting'] as const),
  ]);
}

function fail(error: unknown): boolean {
  say(error);
  return false;
}

function say(error: unknown): void {
  notify('bad', sayFailure(error));
}
