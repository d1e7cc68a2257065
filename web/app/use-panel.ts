import { useCallback, useState } from 'react';
import { PANELS, type Panel } from './inspector.tsx';

const KEY = 'throughline.panel';

/** Which look at the session is open. On a wide screen the context meter is, unless it was closed. */
export function usePanel(): [Panel | undefined, (panel: Panel | undefined) => void] {
  const [panel, setPanel] = useState<Panel | undefined>(() => {
    const kept = localStorage.getItem(KEY);
    if (!matchMedia('(min-width: 1100px)').matches || kept === 'none') return undefined;
    return kept !== null && Object.hasOwn(PANELS, kept) ? (kept as Panel) : 'context';
  });
  const choose = useCallback((next: Panel | undefined) => {
    localStorage.setItem(KEY, next ?? 'none');
    setPanel(next);
  }, []);
  return [panel, choose];
}
