import type { EntryId } from '../../record/index.ts';

/**
 * How facts and proposals are named on the command line: by the end of the id, the part that no two of one moment share.
 * The memory room calls them so too; said here again because printing a line should not load a room.
 */
export function shortId(id: EntryId): string {
  return id.slice(-8);
}
