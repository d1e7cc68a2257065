import { sayShare, sayTokens } from '../../src/faces/rpc/client/index.ts';
import type { WorkSession } from './open-board.ts';

export interface RequestPart {
  readonly label: string;
  readonly tokens: number;
  /** Of what it is like in a session's context. */
  readonly colour: string;
}

/** The parts of a request in the order it is sent in. They add up to the whole, unless one has more than its share and is cut. */
export function partsOf({ tokens, shows }: WorkSession): RequestPart[] {
  const { role, context, checkpoint, messages, request } = tokens;
  const rest = Math.max(0, request - role - context - checkpoint - messages);
  return [
    { label: 'Role', tokens: role, colour: 'system' },
    { label: 'Context', tokens: context, colour: 'memory' },
    { label: 'Checkpoint', tokens: checkpoint, colour: 'summary' },
    { label: 'Messages', tokens: messages, colour: 'messages' },
    {
      label: shows.length > 0 ? 'Kept for other checkpoints and the question' : 'Kept for the question',
      tokens: rest,
      colour: 'reserve',
    },
  ].filter((part) => part.tokens > 0);
}

/** What the next request would take of its budget, part by part, and what compaction has saved. */
export function RequestBar({ session }: { session: WorkSession }) {
  const { request, budget } = session.tokens;
  const parts = partsOf(session);
  const said = parts.map(({ label, tokens }) => `${label.toLowerCase()} ${sayTokens(tokens)}`).join(', ');
  const saved = session.checkpoint.tokens.totalSaved;
  return (
    <div className="request-bar">
      {/* biome-ignore lint/a11y/useSemanticElements: the browser's own meter has one colour, this one a part for each. */}
      <div
        className="meter-bar"
        role="meter"
        aria-label={`Next request of ${session.session}`}
        aria-valuemin={0}
        aria-valuemax={budget}
        aria-valuenow={Math.min(request, budget)}
        aria-valuetext={`${sayTokens(request)} of ${sayTokens(budget)} tokens, ${sayShare(request, budget)}: ${said}`}
      >
        {parts.map(({ label, tokens, colour }) => (
          <span
            key={label}
            data-part={colour}
            style={{ width: `${Math.max(0.6, (tokens / budget) * 100)}%` }}
          />
        ))}
      </div>
      <p className="note">
        <span aria-hidden="true">
          {sayTokens(request)} of {sayTokens(budget)}
        </span>
        {saved > 0 && <span>{sayTokens(saved)} saved</span>}
      </p>
    </div>
  );
}
