import { ThroughlineError } from '../errors.ts';
import { type SessionId, type SessionInfo, storedPlaceOf, titleOf } from '../record/index.ts';
import { matchName, type Store } from '../store/index.ts';

export interface FindOptions {
  /** The ids of the list the person has in front of them: `2` means its second line. */
  readonly list?: readonly SessionId[];
  /** Look in the trash as well; an exact id is always found. */
  readonly trashed?: boolean;
}

const MOST_CANDIDATES = 10;

/**
 * The one session that `reference` names: an id, a number of the last list, a title, or the start of an id. If it fits
 * more than one, the candidates are in the error; nothing is ever guessed. A few digits are a number and never the start
 * of an id: whoever mistypes one must not end up in a session that they never saw.
 */
export async function findSession(
  store: Store,
  reference: string,
  { list, trashed = false }: FindOptions = {},
): Promise<SessionInfo> {
  if (reference === '') throw notFound(reference, { list, inTrash: undefined });
  const exact = await store.session(reference);
  if (exact) return exact;
  const line = lineOf(reference, list);
  const isNumber = line !== undefined || /^\d{1,4}$/.test(reference);
  const name = matchName(reference);
  const { fitting, inTrash } = await findFitting(store, reference, {
    // Only a title that is this very number competes with the list.
    isMeant: ({ state }) => !isNumber || matchName(titleOf(state)) === name,
    isShown(info) {
      // The log of a project is no conversation: only its whole id opens it.
      const place = storedPlaceOf(info.state);
      return place !== 'memory' && (trashed || place !== 'trashed');
    },
  });
  const numbered = line === undefined ? undefined : await store.session(line);
  const candidates = numbered ? distinct([numbered, ...fitting]) : fitting;
  if (candidates.length === 1) return candidates[0]!;
  throw candidates.length > 1 ? ambiguous(reference, candidates) : notFound(reference, { list, inTrash });
}

/** The session on the line that the number names, whether it still exists or not. */
function lineOf(reference: string, list: readonly SessionId[] | undefined): SessionId | undefined {
  return /^[1-9]\d{0,8}$/.test(reference) ? list?.[Number(reference) - 1] : undefined;
}

/** A page may be full of sessions that cannot be meant, so more are asked for until it is clear how many can. */
async function findFitting(
  store: Store,
  reference: string,
  { isMeant, isShown }: Readonly<Record<'isMeant' | 'isShown', (info: SessionInfo) => boolean>>,
): Promise<{ fitting: SessionInfo[]; inTrash: SessionInfo | undefined }> {
  for (let limit = MOST_CANDIDATES + 1; ; limit *= 4) {
    const found = await store.find(reference, { limit });
    const meant = found.filter(isMeant);
    const fitting = meant.filter(isShown);
    if (fitting.length <= MOST_CANDIDATES && found.length === limit) continue;
    return { fitting, inTrash: meant.find(({ state }) => state.trashedAt !== undefined) };
  }
}

function distinct(infos: readonly SessionInfo[]): SessionInfo[] {
  return [...new Map(infos.map((info) => [info.id, info])).values()];
}

function ambiguous(reference: string, candidates: readonly SessionInfo[]): ThroughlineError {
  const shown = candidates.slice(0, MOST_CANDIDATES);
  const more = candidates.length > shown.length ? '\n  …' : '';
  const lines = shown.map((info) => `\n  ${info.id}  ${titleOf(info.state)}`);
  return new ThroughlineError(
    'session-ambiguous',
    `"${shorten(reference)}" fits more than one session; give more of the id:${lines.join('')}${more}`,
    {
      details: {
        candidates: shown.map((info) => ({
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

/** What was typed or pasted may be anything; an error should not be as long. */
function shorten(reference: string): string {
  const points = [...reference.slice(0, 200)];
  return points.length > 80 ? `${points.slice(0, 79).join('')}…` : reference;
}
