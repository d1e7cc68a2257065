import { useEffect, useState } from 'react';
import { type ResultOf, sayCount, sayDollars, sayTokens } from '../../src/faces/rpc/client/index.ts';
import { Dialog } from '../app/dialog.tsx';
import { notify } from '../app/notices.tsx';
import { saySaving } from '../app/say-amounts.ts';
import { sayFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';

type Preview = ResultOf<'ai/context/preview'>;

/** Shows what a compaction would do before anything is spent, then does it. */
export function CompactDialog({
  session,
  onClose,
  onUndo,
}: {
  session: string;
  onClose(): void;
  onUndo(compaction: string): void;
}) {
  const [keep, setKeep] = useState(10);
  const [working, setWorking] = useState(false);
  const { preview, error } = usePreview(session, keep);
  const [failure, setFailure] = useState<unknown>();

  async function compact(): Promise<void> {
    setWorking(true);
    setFailure(undefined);
    try {
      const done = await server.call('ai/context/compact', { chatSessionId: session, keepRecentCount: keep });
      const { before, after } = done.context ?? {
        before: done.originalTokenCount,
        after: done.compressedTokenCount,
      };
      const saved = before - after;
      const said = saySaving(done.messagesCompacted, saved);
      notify('good', done.instead === undefined ? said : `${said}. ${done.instead}`, {
        label: 'Undo',
        run: () => onUndo(done.compactionId),
      });
      onClose();
    } catch (reason) {
      setFailure(reason);
      setWorking(false);
    }
  }

  const wrong = failure ?? error;
  return (
    <Dialog title="Compact this session" onClose={onClose}>
      <p className="dialog-text">
        A summary takes the place of older messages in the context. Nothing is deleted: you can read them in
        the timeline, and put them back.
      </p>
      <label className="keep-field">
        <span>Messages to keep as they are</span>
        <input
          type="number"
          className="field"
          min={0}
          max={100_000}
          value={keep}
          onChange={({ target }) => setKeep(Math.max(0, Math.min(100_000, Math.trunc(Number(target.value)))))}
        />
      </label>
      <div aria-live="polite" className="preview">
        {wrong !== undefined && <p className="problem">{sayFailure(wrong)}</p>}
        {wrong === undefined &&
          (preview ? <PreviewTable preview={preview} /> : <p className="note">Looking…</p>)}
      </div>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button button-primary"
          disabled={working || preview === undefined || error !== undefined}
          onClick={compact}
        >
          {working ? 'Summarising…' : 'Compact'}
        </button>
      </div>
    </Dialog>
  );
}

function PreviewTable({
  preview: { summarised, kept, leftOut, savedTokens, context, cost },
}: {
  preview: Preview;
}) {
  return (
    <dl className="preview-table">
      <div>
        <dt>Summarised</dt>
        <dd>
          {sayCount(summarised.messages, 'message')}
          {summarised.compactions > 0 && ` and ${sayCount(summarised.compactions, 'summary', 'summaries')}`}
        </dd>
        <dd>{sayTokens(summarised.tokens)} tokens</dd>
      </div>
      <div>
        <dt>Kept as they are</dt>
        <dd>
          {sayCount(kept.messages, 'message')}
          {kept.asked !== undefined && kept.asked < kept.messages && ', grown to whole turns'}
        </dd>
        <dd>{sayTokens(kept.tokens)} tokens</dd>
      </div>
      {leftOut.messages > 0 && (
        <div>
          <dt>Left out already</dt>
          <dd>{sayCount(leftOut.messages, 'message')}</dd>
          <dd>{sayTokens(leftOut.tokens)} tokens</dd>
        </div>
      )}
      <div className="preview-saved">
        <dt>Saves</dt>
        <dd />
        <dd>about {sayTokens(savedTokens)} tokens</dd>
      </div>
      {context && (
        <div>
          <dt>Context</dt>
          <dd>{sayTokens(context.before)} tokens now</dd>
          <dd>about {sayTokens(context.after)} tokens</dd>
        </div>
      )}
      {cost === null && (
        <div>
          <dt>Cost</dt>
          <dd>The price of the model is not known</dd>
          <dd />
        </div>
      )}
      {cost && (
        <div>
          <dt>A turn</dt>
          <dd>
            {sayDollars(cost.turn.before)}
            {cost.cold && ', the cache has expired'}
          </dd>
          <dd>{sayDollars(cost.turn.after)}</dd>
        </div>
      )}
      {cost?.writers.map(({ by, model, cost: paid, pays }) => (
        <div key={by}>
          <dt>Costs {sayDollars(paid)}</dt>
          <dd>
            {by === 'digest'
              ? 'by the digest'
              : by === 'provider'
                ? `by the provider of ${model}`
                : `by ${model}`}
          </dd>
          <dd>
            {pays === undefined
              ? 'does not pay'
              : pays === 0
                ? 'pays at once'
                : `pays after ${sayCount(pays, 'turn')}`}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function usePreview(session: string, keep: number): { preview: Preview | undefined; error: unknown } {
  const [state, setState] = useState<{ preview: Preview | undefined; error: unknown }>({
    preview: undefined,
    error: undefined,
  });
  useEffect(() => {
    let left = false;
    const timer = setTimeout(async () => {
      const next = await server
        .call('ai/context/preview', { chatSessionId: session, keepRecentCount: keep })
        .then(
          (preview) => ({ preview, error: undefined }),
          (error: unknown) => ({ preview: undefined, error }),
        );
      if (!left) setState(next);
    }, 120);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [session, keep]);
  return state;
}
