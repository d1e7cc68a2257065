import { type Access, OWNER } from '../../operations/index.ts';

/** Ends what a token opened soon after it no longer counts: it was taken out of the file, or reaches something else now. */
export interface Revocation {
  /** Calls `end` once, when that happens. Returns the way to stop looking. */
  watch(access: Access, end: () => void): () => void;
}

const LOOK_MS = 500;

export function createRevocation(
  holds: (access: Access) => boolean,
  { lookMs = LOOK_MS }: { lookMs?: number } = {},
): Revocation {
  const open = new Set<{ readonly access: Access; readonly end: () => void }>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    for (const one of open) {
      if (holds(one.access)) continue;
      leave(one);
      one.end();
    }
  }

  function leave(one: { readonly access: Access; readonly end: () => void }): void {
    open.delete(one);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(access, end) {
      if (access === OWNER) return () => {};
      const one = { access, end };
      open.add(one);
      timer ??= setInterval(look, lookMs).unref();
      return () => leave(one);
    },
  };
}
