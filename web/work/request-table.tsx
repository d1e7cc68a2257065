import { sayNumber, sayShare, sayTokens } from '../../src/faces/rpc/client/index.ts';
import type { WorkSession } from './open-board.ts';
import { partsOf, RequestBar } from './request-bar.tsx';

/** The next request in numbers, and what compaction has done for it. */
export function RequestTable({ session }: { session: WorkSession }) {
  const { tokens, checkpoint } = session;
  const { totalSaved, lastCompactionInput } = checkpoint.tokens;
  return (
    <section className="detail-request" aria-label="Next request">
      <h3>Next request, in tokens</h3>
      <RequestBar session={session} />
      <table className="meter-table">
        <caption className="out-of-sight">The next request by part, in tokens</caption>
        <thead className="out-of-sight">
          <tr>
            <th>Part</th>
            <th>Tokens</th>
            <th>Share of the budget</th>
          </tr>
        </thead>
        <tbody>
          {partsOf(session).map(({ label, tokens: amount, colour }) => (
            <tr key={label}>
              <th scope="row">
                <span className="meter-key" data-part={colour} aria-hidden="true" />
                {label}
              </th>
              <td>{sayNumber(amount)}</td>
              <td>{sayShare(amount, tokens.budget)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {totalSaved > 0 && (
        <p className="note">
          {sayTokens(totalSaved)} tokens saved in all; the last compaction took{' '}
          {sayTokens(lastCompactionInput)} away.
        </p>
      )}
    </section>
  );
}
