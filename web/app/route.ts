import { useSyncExternalStore } from 'react';

export interface Route {
  readonly work?: true;
  readonly session?: string;
  /** An entry to go to, by its number. */
  readonly at?: number;
}

export function addressOf({ session, at }: Route): string {
  if (session === undefined) return '#/';
  return `#/session/${encodeURIComponent(session)}${at === undefined ? '' : `/${at}`}`;
}

export function readRoute(hash: string): Route {
  if (hash === '#/work') return { work: true };
  const [, session, at] = /^#\/session\/([^/]+)(?:\/(\d+))?$/.exec(hash) ?? [];
  if (session === undefined) return {};
  try {
    return { session: decodeURIComponent(session), ...(at !== undefined && { at: Number(at) }) };
  } catch {
    return {};
  }
}

export function goTo(route: Route): void {
  location.hash = addressOf(route);
}

/** The part of the address behind the #; a string, so that it only changes when it does. */
export function useHash(): string {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('hashchange', listener);
      return () => removeEventListener('hashchange', listener);
    },
    () => location.hash,
  );
}
