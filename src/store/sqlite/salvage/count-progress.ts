import type { SweepOptions } from '../../store.ts';

/** Finding, writing, rebuilding and checking. */
const PHASES = ['find', 'write', 'rebuild', 'verify'] as const;
type Phase = (typeof PHASES)[number];

export interface Progress {
  /** To be called with how much of the phase is done, 0 to 1. */
  phase(name: Phase): (fraction: number) => void;
  /** The same for the sweeps of a store, which count entries. */
  sweep(name: Phase): (sweep: { readonly done: number; readonly total: number }) => void;
}

/** All phases as one count of pages, because how many entries there are is known only halfway. */
export function countProgress(pages: number, onProgress: SweepOptions['onProgress']): Progress {
  const phase = (name: Phase) => (fraction: number) => {
    const done = Math.floor((PHASES.indexOf(name) + Math.min(1, fraction)) * pages);
    onProgress?.({ done, total: PHASES.length * pages });
  };
  return {
    phase,
    sweep: (name) => (sweep) => phase(name)(sweep.total === 0 ? 1 : sweep.done / sweep.total),
  };
}
