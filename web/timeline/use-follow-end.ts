import type { Virtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type RefObject, useEffect, useMemo, useRef } from 'react';

type Rows = Virtualizer<HTMLDivElement, Element>;

/** So near, a scroll has reached the end: new text may have moved the end away in between. */
const NEAR = 80;
const OPENERS = 'summary, [aria-expanded], .link-button';

/**
 * Keeps the end in view for a reader at the end, whatever grows: the answer, the rows once they are measured, or the field one
 * writes in. Who scrolls up, be it a little, or opens something to read it, is left where they are until they are back.
 */
export function useFollowEnd(
  scroller: RefObject<HTMLDivElement | null>,
  { reachable }: { reachable: boolean },
) {
  const end = useRef({ following: false, reachable, top: 0, max: 0 });
  end.current.reachable = reachable;
  const drawn = useRef<Rows>(undefined);

  const follow = useMemo(() => {
    function look(): { top: number; max: number } {
      const { scrollTop, scrollHeight, clientHeight } = scroller.current!;
      return { top: scrollTop, max: scrollHeight - clientHeight };
    }

    function keep(virtualizer: Rows): void {
      drawn.current = virtualizer;
      const { following, reachable: inReach } = end.current;
      if (!scroller.current || !following || !inReach) return;
      const { top, max } = look();
      if (max - top > 1) virtualizer.scrollToEnd();
      Object.assign(end.current, look());
    }

    return {
      keep,
      keepDrawn: () => drawn.current && keep(drawn.current),
      join(): void {
        end.current.following = true;
      },
      leave(): void {
        end.current.following = false;
      },
      onScroll(): void {
        const before = end.current;
        const { top, max } = look();
        // What became shorter moves the view up as well, without a scroll, but not away from the end.
        const scrolledUp = top < before.top - 1 && max - top > before.max - before.top + 1;
        if (max - top <= (top > before.top ? NEAR : 2)) before.following = true;
        else if (scrolledUp) before.following = false;
        Object.assign(before, { top, max });
      },
      onClickCapture({ target }: MouseEvent): void {
        if (target instanceof Element && target.closest(OPENERS)) end.current.following = false;
      },
    };
  }, [scroller]);

  useEffect(() => {
    const observer = new ResizeObserver(follow.keepDrawn);
    observer.observe(scroller.current!);
    return () => observer.disconnect();
  }, [scroller, follow]);

  return follow;
}
