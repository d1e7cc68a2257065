import { useEffect } from 'react';
import type { ShownCompaction } from './shown.ts';
import { useTimelineActions } from './timeline-actions.ts';

/** Stands where more of what a card covers will be; being near the screen is enough to have it loaded. */
export function MoreOriginals({ compaction }: { compaction: ShownCompaction }) {
  const { loadOriginals } = useTimelineActions();
  useEffect(() => loadOriginals(compaction, 'more'));
  return <p className="note">Loading more of what was said…</p>;
}

export function EarlierOriginals({ compaction }: { compaction: ShownCompaction }) {
  const { loadOriginals } = useTimelineActions();
  return (
    <button
      type="button"
      className="link-button originals-end"
      onClick={() => loadOriginals(compaction, 'earlier')}
    >
      Show what was said before
    </button>
  );
}

export function OriginalsEnd({ compaction }: { compaction: ShownCompaction }) {
  const { toggleOriginals } = useTimelineActions();
  return (
    <button type="button" className="link-button originals-end" onClick={() => toggleOriginals(compaction)}>
      Hide these originals
    </button>
  );
}
