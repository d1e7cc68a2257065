import { placeOf, titleOf } from '../../record/index.ts';
import { listCandidates } from '../../session/index.ts';
import { isShown } from '../access.ts';
import type { Handler } from '../call.ts';

const findSession: Handler<'session/find'> = async ({ text, limit, trashed, list }, { store, access }) => {
  const { candidates, more } = await listCandidates(store, text, {
    limit,
    trashed,
    ...(list && { list }),
    reaches: (info) => isShown(store, access, info),
    tombstones: access.projects === null,
  });
  return {
    match: candidates.length === 1 && !more ? candidates[0]!.info.id : null,
    candidates: candidates.map(({ info: { id, state, updatedAt }, by }) => ({
      id,
      title: titleOf(state),
      updatedAt,
      place: placeOf(state),
      by,
    })),
    more,
  };
};

export const find = { 'session/find': findSession };
