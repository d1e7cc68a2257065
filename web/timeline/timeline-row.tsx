import { memo, type ReactNode } from 'react';
import { sayCount } from '../../src/faces/rpc/client/index.ts';
import { Boundary } from '../app/boundary.tsx';
import { addressOf } from '../app/route.ts';
import { sayClock, sayDay } from '../app/say-time.ts';
import type { Origin, Row } from './build-rows.ts';
import { MessageRow, SPEAKERS } from './message-row.tsx';
import { EarlierOriginals, MoreOriginals, OriginalsEnd } from './originals-rows.tsx';
import { SummaryCard } from './summary-card.tsx';
import { ToolUses } from './tool-uses.tsx';

export interface TimelineRowProps {
  readonly row: Row;
  readonly index: number;
  readonly live: ReactNode;
  readonly marked: boolean;
  readonly focusable: boolean;
  measure(element: HTMLElement | null): void;
}

/** A place on the line: the dot or the knot at the left, and what belongs to it. */
export const TimelineRow = memo(function TimelineRow({
  row,
  index,
  live,
  marked,
  focusable,
  measure,
}: TimelineRowProps) {
  return (
    <article
      ref={measure}
      data-index={index}
      data-key={row.key}
      data-kind={row.kind}
      data-role={row.kind === 'message' ? row.message.role : undefined}
      data-day={row.day !== undefined || undefined}
      data-depth={Math.min(3, row.depth)}
      className={marked ? 'row row-marked' : 'row'}
      tabIndex={focusable ? 0 : -1}
      aria-label={labelOf(row)}
      aria-posinset={index + 1}
      aria-setsize={-1}
    >
      <div className="row-inside">
        {row.day !== undefined && <h2 className="day">{sayDay(row.day)}</h2>}
        <Boundary what="This part of the timeline">{draw(row, live)}</Boundary>
      </div>
    </article>
  );
});

function Beginning({ origin }: { origin: Origin | undefined }) {
  if (!origin) return <p className="note">The beginning of this session.</p>;
  return (
    <p className="note">
      {origin.relation === 'resume' ? 'Resumed from the summary of ' : 'Forked from '}
      <a href={addressOf({ session: origin.parent })}>{origin.parent}</a>.
    </p>
  );
}

function draw(row: Row, live: ReactNode): ReactNode {
  switch (row.kind) {
    case 'start':
      return <Beginning origin={row.origin} />;
    case 'message':
      return <MessageRow message={row.message} />;
    case 'tools':
      return <ToolUses uses={row.uses} />;
    case 'card':
      return <SummaryCard compaction={row.compaction} open={row.open} />;
    case 'earlier':
      return <EarlierOriginals compaction={row.compaction} />;
    case 'more':
      return <MoreOriginals compaction={row.compaction} />;
    case 'card-end':
      return <OriginalsEnd compaction={row.compaction} />;
    case 'live':
      return live;
  }
}

function labelOf(row: Row): string {
  switch (row.kind) {
    case 'start':
      return 'Beginning';
    case 'message':
      return `${SPEAKERS[row.message.role]}, ${sayClock(row.message.at)}`;
    case 'tools':
      return sayCount(row.uses.length, 'tool call');
    case 'card':
      return `Summary of ${sayCount(row.compaction.messages, 'message')}`;
    case 'earlier':
      return 'Earlier originals';
    case 'more':
      return 'More originals';
    case 'card-end':
      return 'End of the originals';
    case 'live':
      return 'Answer, being written';
  }
}
