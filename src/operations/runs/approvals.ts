import type { ApprovalRequest, ApprovalScope } from '../../agent/index.ts';
import type { SessionId } from '../../record/index.ts';
import type { LiveEvent } from './live-event.ts';
import type { LiveNote } from './runs.ts';

// A tool that needs approval waits here until a client that watches says yes or no. No answer is a no.

export interface Verdict {
  readonly approved: boolean;
  readonly reason?: string;
  /** How long a yes holds. */
  readonly scope?: ApprovalScope;
  /** Who said so; absent without an answer. */
  readonly by?: string;
}

interface Approvals {
  /** Asks everybody who looks on. Resolves with no without an answer in time, or when the turn is stopped. */
  ask(
    session: SessionId,
    request: ApprovalRequest,
    options: { readonly signal: AbortSignal; readonly tell: (event: LiveEvent) => LiveNote | undefined },
  ): Promise<Verdict>;
  /** False if nothing of this name is asked in the session: another client was faster, or it is over. */
  answer(session: SessionId, toolCallId: string, verdict: Verdict): boolean;
  /** The open question, as it was sent: for clients that come later. */
  open(session: SessionId): LiveNote[];
}

interface Asked {
  readonly note: LiveNote | undefined;
  readonly answer: (verdict: Verdict) => void;
}

export function createApprovals({ waitMs }: { waitMs: number }): Approvals {
  const asked = new Map<SessionId, Map<string, Asked>>();

  return {
    async ask(session, { toolCallId, toolName, input, scopes }, { signal, tell }) {
      const { promise, resolve: answer } = Promise.withResolvers<Verdict>();
      const call = { toolCallId, toolName };
      const until = Date.now() + waitMs;
      const note = tell({
        type: 'approval-start',
        ...call,
        input: input ?? null,
        scopes: [...scopes],
        until,
      });
      const here = asked.get(session) ?? new Map<string, Asked>();
      asked.set(session, here.set(toolCallId, { note, answer }));
      const timer = setTimeout(answer, waitMs, { approved: false, reason: sayLate(waitMs) });
      const stop = () => answer({ approved: false, reason: 'The turn was stopped.' });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
      const verdict = await promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      here.delete(toolCallId);
      if (here.size === 0) asked.delete(session);
      const { approved, by = null, reason = null, scope = 'once' } = verdict;
      tell({ type: 'approval-end', ...call, approved, scope, by, reason });
      return verdict;
    },
    answer(session, toolCallId, verdict) {
      const found = asked.get(session)?.get(toolCallId);
      found?.answer(verdict);
      // Taken out at once: a second answer must not look as if it had counted.
      asked.get(session)?.delete(toolCallId);
      return found !== undefined;
    },
    open: (session) => [...(asked.get(session)?.values() ?? [])].flatMap(({ note }) => note ?? []),
  };
}

function sayLate(waitMs: number): string {
  const seconds = Math.round(waitMs / 1000);
  const time = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `This tool needs approval, and nobody gave it within ${time}.`;
}
