import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '../app/icon.tsx';
import type { Row } from './build-rows.ts';
import { estimateHeight } from './estimate-height.ts';
import { TimelineRow } from './timeline-row.tsx';
import { useFollowEnd } from './use-follow-end.ts';
import { useRowFocus } from './use-row-focus.ts';

export interface TimelineProps {
  readonly rows: readonly Row[];
  /** Changes with every place that is gone to: another session, or an entry in it. */
  readonly place: string;
  /** The row to go to first; the end without one. */
  readonly target: string | undefined;
  readonly older: boolean;
  readonly newer: boolean;
  onOlder(): void;
  onNewer(): void;
  onNewest(): void;
  /** The answer that is being written. */
  readonly live: ReactNode;
}

/** So many rows ahead the next page is asked for, that even a quick hand does not reach the end before it is there. */
const NEAR = 40;
/** Going to a row takes a few frames, in which rows must not change their numbers: no page is added until then. */
const SETTLING_MS = 250;

/** The messages, in order. Only rows near the screen are in the page, however long the session is. */
export function Timeline({ rows, place, target, older, newer, live, ...on }: TimelineProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const end = useFollowEnd(scroller, { reachable: !newer });
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: useCallback((index: number) => estimateHeight(rows[index]), [rows]),
    overscan: 10,
    paddingStart: 24,
    paddingEnd: 32,
    anchorTo: 'end',
    // Following is not its business: it would pull a reader near the end, and lose it when much is added at once.
    scrollEndThreshold: -1,
    directDomUpdates: true,
    onChange: end.keep,
  });
  const focus = useRowFocus(rows, virtualizer, scroller, end.leave);

  const went = useRef<string>(undefined);
  const [arrived, setArrived] = useState<string>();
  useLayoutEffect(() => {
    if (rows.length === 0 || went.current === place) return;
    went.current = place;
    setArrived(undefined);
    setTimeout(setArrived, SETTLING_MS, place);
    const index = target === undefined ? -1 : rows.findIndex(({ key }) => key === target);
    if (index >= 0) {
      end.leave();
      virtualizer.scrollToIndex(index, { align: 'center' });
    } else {
      end.join();
      virtualizer.scrollToEnd();
    }
  }, [rows, place, target, virtualizer, end]);
  useLayoutEffect(() => end.keep(virtualizer));

  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index;
  const last = items.at(-1)?.index;
  useEffect(() => {
    // Until the first scroll has happened the beginning of the page is in view, and earlier pages are not needed.
    if (arrived !== place) return;
    if (older && first !== undefined && first < NEAR) on.onOlder();
    if (newer && last !== undefined && last > rows.length - NEAR) on.onNewer();
  });

  return (
    <div className="timeline-frame">
      <div
        ref={scroller}
        className="timeline scroller"
        role="feed"
        aria-label="Timeline"
        aria-busy={rows.length === 0}
        onKeyDown={focus.onKeyDown}
        onScroll={end.onScroll}
        onClickCapture={end.onClickCapture}
      >
        <div ref={virtualizer.containerRef} className="timeline-inside">
          {items.map(({ index, key }) => (
            <TimelineRow
              key={key}
              row={rows[index]!}
              index={index}
              live={rows[index]!.kind === 'live' ? live : undefined}
              marked={rows[index]!.key === target}
              focusable={focus.isCurrent(index)}
              measure={virtualizer.measureElement}
            />
          ))}
        </div>
      </div>
      <ToNewest
        shown={newer || !virtualizer.isAtEnd(600)}
        onClick={() => {
          end.join();
          if (newer) on.onNewest();
          else virtualizer.scrollToEnd();
        }}
      />
    </div>
  );
}

function ToNewest({ shown, onClick }: { shown: boolean; onClick(): void }) {
  if (!shown) return null;
  return (
    <button type="button" className="button to-newest" onClick={onClick}>
      <Icon name="chevron" />
      Newest
    </button>
  );
}
