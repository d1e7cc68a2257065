import { useState } from 'react';
import { sayNumber } from '../../src/faces/rpc/client/index.ts';
import { largeBytes } from './read-parts.ts';
import { useTimelineActions } from './timeline-actions.ts';

/** A value too large for a page is there by its beginning; this brings the rest. Nothing where nothing is missing. */
export function WholeButton({ value, message }: { value: unknown; message: string }) {
  const { loadWhole } = useTimelineActions();
  const [asked, setAsked] = useState(false);
  const bytes = largeBytes(value);
  if (bytes === 0 || message === '') return null;
  return (
    <button
      type="button"
      className="link-button whole-button"
      disabled={asked}
      onClick={() => {
        setAsked(true);
        loadWhole(message).finally(() => setAsked(false));
      }}
    >
      {asked ? 'Loading…' : `Show all ${sayNumber(Math.ceil(bytes / 1024))} KB`}
    </button>
  );
}
