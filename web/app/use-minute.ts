import { useEffect, useState } from 'react';

const HALF_A_MINUTE = 30_000;

/** Draws a component again now and then, so that the ages it says stay true. */
export function useMinute(): void {
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((count) => count + 1), HALF_A_MINUTE);
    return () => clearInterval(timer);
  }, []);
}
