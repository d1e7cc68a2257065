import { Icon } from '../app/icon.tsx';
import type { AutoCompacted } from '../session/live-turn.ts';

/** Reports automatic compactions, and offers the way back. */
export function AutoCompactedNotice({
  done,
  onUndo,
  onDismiss,
}: {
  done: AutoCompacted;
  onUndo: (() => void) | undefined;
  onDismiss(): void;
}) {
  return (
    <div className="auto-compacted" role="status">
      <Icon name="compact" />
      <p>{done.text}</p>
      {onUndo && (
        <button type="button" className="link-button" onClick={onUndo}>
          Undo
        </button>
      )}
      <button type="button" className="button button-plain button-small" onClick={onDismiss}>
        <Icon name="close" />
        <span className="out-of-sight">Dismiss</span>
      </button>
    </div>
  );
}
