import { sayFit, sayNumber, sayShare, sayTokens } from '../../src/faces/rpc/client/index.ts';
import { useMayWrite } from '../app/may-write.ts';
import type { Meter } from '../session/open-state.ts';

const PARTS: Record<string, string> = {
  system: 'Instructions',
  tools: 'Tools',
  memory: 'Project memory',
  instructions: 'Instructions',
  agent: 'Agent',
  project: 'Project',
  pinned: 'Pinned',
  summary: 'Summaries',
  messages: 'Messages',
  recall: 'Recalled',
  reserve: 'Kept for the answer',
  free: 'Free',
};

/** How full the model's window is, by part. */
export function ContextMeter({ meter, onCompact }: { meter: Meter | undefined; onCompact(): void }) {
  const mayWrite = useMayWrite();
  if (!meter) return <p className="note">Counting…</p>;
  const { parts, window, tokens, model } = meter;
  const notes = sayFit(meter);
  return (
    <div className="panel-body">
      <p className="meter-total">
        <strong>{sayTokens(tokens)}</strong> of {sayTokens(window)} tokens
        <span className="note">{sayShare(tokens, window)}</span>
      </p>
      <MeterBar meter={meter} />
      <table className="meter-table">
        <caption className="out-of-sight">The context by part, in tokens</caption>
        <thead className="out-of-sight">
          <tr>
            <th>Part</th>
            <th>Tokens</th>
            <th>Share of the window</th>
          </tr>
        </thead>
        <tbody>
          {parts
            .filter((part) => part.tokens > 0)
            .map(({ part, tokens: amount }) => (
              <tr key={part}>
                <th scope="row">
                  <span className="meter-key" data-part={part} aria-hidden="true" />
                  {PARTS[part] ?? part}
                </th>
                <td>{sayNumber(amount)}</td>
                <td>{sayShare(amount, window)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <p className="note">Estimated for {model || 'the default model'}.</p>
      {notes.length > 0 && (
        <ul className="note">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {mayWrite && (
        <button type="button" className="button" onClick={onCompact}>
          Compact…
        </button>
      )}
    </div>
  );
}

export function MeterBar({ meter, small = false }: { meter: Meter; small?: boolean }) {
  const { parts, window, tokens } = meter;
  const shown = parts.filter(({ part, tokens: amount }) => part !== 'free' && amount > 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own meter has one colour, this one a part for each.
    <div
      className={small ? 'meter-bar meter-bar-small' : 'meter-bar'}
      role="meter"
      aria-label="Context used"
      aria-valuemin={0}
      aria-valuemax={window}
      aria-valuenow={tokens}
      aria-valuetext={`${sayTokens(tokens)} of ${sayTokens(window)} tokens, ${sayShare(tokens, window)}`}
    >
      {shown.map(({ part, tokens: amount }) => (
        <span key={part} data-part={part} style={{ width: `${Math.max(0.6, (amount / window) * 100)}%` }} />
      ))}
    </div>
  );
}
