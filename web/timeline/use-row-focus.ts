import type { Virtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useState } from 'react';
import type { Row } from './build-rows.ts';

const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** One row is in the tab order; the arrows, j and k move from row to row, Enter opens what a row holds. */
export function useRowFocus(
  rows: readonly Row[],
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLDivElement | null>,
  onGo: () => void,
) {
  const [current, setCurrent] = useState<string>();
  const index = rows.findIndex(({ key }) => key === current);
  const place = index < 0 ? rows.length - 1 : index;

  const go = useCallback(
    (to: number) => {
      const row = rows[to];
      if (!row) return;
      setCurrent(row.key);
      onGo();
      virtualizer.scrollToIndex(to, { align: 'auto' });
      // The row may be outside of the drawn rows until the scroll has happened.
      requestAnimationFrame(() =>
        requestAnimationFrame(() =>
          scroller.current
            ?.querySelector<HTMLElement>(`[data-index="${to}"]`)
            ?.focus({ preventScroll: true }),
        ),
      );
    },
    [rows, virtualizer, scroller, onGo],
  );

  function onKeyDown(event: KeyboardEvent): void {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = target.closest<HTMLElement>('[data-index]');
    const from = row ? Number(row.dataset.index) : place;
    const onRow = target === row;
    if (!onRow && key !== 'Escape') return;
    const step = STEPS[key];
    if (step) go(from + step);
    else if (key === 'Home') go(0);
    else if (key === 'End') go(rows.length - 1);
    else if (key === 'Enter' || key === 'o')
      row?.querySelector<HTMLElement>('[aria-expanded], summary')?.click();
    else if (key === 'Escape' && !onRow) row?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return { onKeyDown, isCurrent: (at: number) => at === place };
}
