import { isThroughlineError, ThroughlineError } from '../errors.ts';
import type { SessionId } from '../record/index.ts';
import type { LeaseOwner, Store } from '../store/index.ts';
import { isDead } from './process-identity.ts';

// Writers of this process that wait for one session stand in a line: they are served in the order they came, and only the
// first of them asks the store. A lease that this process gives back wakes the first at once; one of another process is
// looked at again and again.

interface WaitOptions {
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface LeaseLine {
  /** Claims when it is this caller's turn and the lease is free, or fails with `lease-held` when the time is over. */
  claimInTurn(claim: () => Promise<void>, options: WaitOptions): Promise<void>;
  took(): void;
  gaveBack(): void;
  leave(): void;
}

interface Ticket {
  wake(): void;
}

/** Between two looks at a lease of another process. */
const LOOK_MS = { least: 15, most: 60 };
/** While a writer of this line holds the lease: giving it back wakes the line, unless the lease was taken over since. */
const LOOK_AT_OWN_MS = 1_000;
/**
 * A process that was served for so long in a row lets others have a look before it goes on, also where it opens and closes in a
 * loop and no caller of it waits.
 */
const BURST_MS = 1_000;
const PAUSE_MS = 80;
/** So many new lines, and those that are over are dropped. */
const SWEPT_EVERY = 100;

interface Line extends LeaseLine {
  enter(): void;
  /** The line is empty, and no burst is under way. */
  isOver(): boolean;
}

const lines = new WeakMap<Store, Map<SessionId, Line>>();

/** The line of a session. Every place in it has to be left again. */
export function enterLine(store: Store, id: SessionId): LeaseLine {
  const known = lines.get(store) ?? new Map<SessionId, Line>();
  lines.set(store, known);
  const line = known.get(id) ?? addLine(store, id, known);
  line.enter();
  return line;
}

function addLine(store: Store, id: SessionId, known: Map<SessionId, Line>): Line {
  if ((known.size + 1) % SWEPT_EVERY === 0)
    for (const [other, line] of known) if (line.isOver()) known.delete(other);
  const line = createLine(store, id);
  known.set(id, line);
  return line;
}

function createLine(store: Store, id: SessionId): Line {
  const tickets: Ticket[] = [];
  let inside = 0;
  let holding = false;
  let freeSince = Number.NEGATIVE_INFINITY;
  /** Since when this process has had the lease without a pause for others. */
  let burstSince: number | undefined;

  async function claimInTurn(claim: () => Promise<void>, { waitMs, signal }: WaitOptions): Promise<void> {
    const started = performance.now();
    const left = () => started + waitMs - performance.now();
    const bell = createBell(signal, id);
    const ticket = { wake: bell.ring };
    tickets.push(ticket);
    try {
      bell.check();
      while (tickets[0] !== ticket && left() > 0) await bell.wait(left());
      for (;;) {
        await pauseForOthers(bell, left);
        try {
          return await claim();
        } catch (error) {
          if (!isThroughlineError(error, 'lease-held')) throw error;
          if (left() <= 0) throw waitedInVain(error, Math.round(performance.now() - started));
        }
        await waitUntilFree(bell, left);
      }
    } finally {
      tickets.splice(tickets.indexOf(ticket), 1);
      tickets[0]?.wake();
    }
  }

  async function waitUntilFree(bell: Bell, left: () => number): Promise<void> {
    while (left() > 0) {
      const held = await store.lease(id);
      if (!held || isDead(held.owner)) return;
      const look = LOOK_MS.least + Math.random() * (LOOK_MS.most - LOOK_MS.least);
      const rang = await bell.wait(Math.min(left(), holding ? LOOK_AT_OWN_MS : look));
      if (rang) return;
    }
  }

  async function pauseForOthers(bell: Bell, left: () => number): Promise<void> {
    const served = burstSince !== undefined && performance.now() - burstSince > BURST_MS;
    if (!served || holding || !store.facts.sharedAcrossProcesses) return;
    burstSince = undefined;
    const pause = () => Math.min(freeSince + PAUSE_MS - performance.now(), left());
    while (pause() > 0) await bell.wait(pause());
  }

  return {
    claimInTurn,
    enter: () => void inside++,
    took() {
      holding = true;
      const now = performance.now();
      if (burstSince === undefined || now - freeSince >= PAUSE_MS) burstSince = now;
    },
    gaveBack() {
      holding = false;
      freeSince = performance.now();
      tickets[0]?.wake();
    },
    leave() {
      inside--;
    },
    isOver() {
      return inside === 0 && performance.now() - freeSince >= PAUSE_MS;
    },
  };
}

interface Bell {
  ring(): void;
  /** Throws once the signal has been given. */
  check(): void;
  /** Waits for the bell, at most so long; true if it rang. One that rang since the last wait is not missed. */
  wait(ms: number): Promise<boolean>;
}

function createBell(signal: AbortSignal | undefined, id: SessionId): Bell {
  let rang = false;
  let stop = () => {};
  const check = () => {
    if (signal?.aborted)
      throw new ThroughlineError('cancelled', `Waiting for session "${id}" was cancelled.`, {
        cause: signal.reason,
        details: { session: id },
      });
  };
  return {
    ring() {
      rang = true;
      stop();
    },
    check,
    async wait(ms) {
      check();
      if (!rang && ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          stop = () => {
            clearTimeout(timer);
            resolve();
          };
          signal?.addEventListener('abort', stop);
        });
        signal?.removeEventListener('abort', stop);
      }
      check();
      const before = rang;
      rang = false;
      return before;
    },
  };
}

function waitedInVain({ details, cause }: ThroughlineError, waitedMs: number): ThroughlineError {
  const { name, pid, host } = details.holder as LeaseOwner;
  const who = `${name} (process ${pid} on ${host.split('/')[0]})`;
  return new ThroughlineError(
    'lease-held',
    `Session "${details.session}" was still being written by ${who} after waiting for ${(waitedMs / 1000).toFixed(1)} seconds. Try again later, or open it read-only or fork it.`,
    { cause, details: { ...details, waitedMs } },
  );
}
