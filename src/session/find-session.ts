import { ThroughlineError } from '../errors.ts';
import { checkArgument, type SessionId, type SessionInfo, titleOf } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { type Candidate, type FindOptions, lineOf, listCandidates } from './list-candidates.ts';

/**
 * The one session that `reference` names: an id, a number of the last list, a title, or the start of an id. If it fits
 * more than one, the candidates are in the error; nothing is ever guessed.
 */
export async function findSession(
  store: Store,
  reference: string,
  options: FindOptions = {},
): Promise<SessionInfo> {
  return (await lookUpSession(store, reference, options)).info;
}

/** As `findSession`, with the way it was found: all but `id` is a guess at what a person means. */
export async function lookUpSession(
  store: Store,
  reference: string,
  { list, trashed = false }: FindOptions = {},
): Promise<Candidate> {
  checkArgument(store, 'store', { call: 'findSession' });
  checkArgument(reference, 'text', { call: 'findSession', argument: 'reference' });
  const { candidates, more, inTrash, gone } = await listCandidates(store, reference, {
    trashed,
    ...(list && { list }),
  });
  const [first, ...others] = candidates;
  if (first === undefined) throw gone ?? notFound(reference, { list, inTrash });
  if (others.length > 0) throw ambiguous(reference, candidates, { more });
  return first;
}

function ambiguous(
  reference: string,
  candidates: readonly Candidate[],
  { more }: { more: boolean },
): ThroughlineError {
  const lines = candidates.map(({ info }) => `\n  ${info.id}  ${titleOf(info.state)}`);
  return new ThroughlineError(
    'session-ambiguous',
    `"${shorten(reference)}" fits more than one session; give more of the id:${lines.join('')}${more ? '\n  …' : ''}`,
    {
      details: {
        candidates: candidates.map(({ info }) => ({
          id: info.id,
          title: titleOf(info.state),
          updatedAt: info.updatedAt,
        })),
      },
    },
  );
}

function notFound(
  reference: string,
  { list, inTrash }: { list: readonly SessionId[] | undefined; inTrash: SessionInfo | undefined },
): ThroughlineError {
  const why = whyNotListed(reference, list);
  const trash = inTrash ? ` ${inTrash.id} is in the trash.` : '';
  return new ThroughlineError(
    'session-not-found',
    `No session "${shorten(reference)}".${why && ` ${why}`}${trash}`,
    { details: { session: reference, ...(why && { why }), ...(inTrash && { trashed: inTrash.id }) } },
  );
}

function whyNotListed(reference: string, list: readonly SessionId[] | undefined): string {
  if (!/^\d+$/.test(reference)) return '';
  if (lineOf(reference, list) !== undefined)
    return `What was on line ${reference} of the last list was purged.`;
  if (list) return `The last list had ${list.length === 1 ? '1 line' : `${list.length} lines`}.`;
  return 'A number is one of the last list, and there is none here; an id needs more of its start.';
}

/** A typed or pasted name may be anything; an error should not be as long. */
function shorten(reference: string): string {
  const points = [...reference.slice(0, 200)];
  return points.length > 80 ? `${points.slice(0, 79).join('')}…` : reference;
}
