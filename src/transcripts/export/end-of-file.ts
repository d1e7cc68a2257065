import type { Family, OutgoingEntry, OutgoingSession } from '../transcript.ts';
import { standing } from './interleave.ts';

/**
 * Programs go on where the file ends, so that has to be the end of the session asked for. Where it cannot be, because
 * nothing was said in it yet or others went on from its last word, its own line is written alone, as those programs
 * themselves do when they leave a tree. `leads` says which entries become something that another line can follow.
 */
export async function endingWithAsked(
  family: Family,
  leads: (entry: OutgoingEntry) => boolean,
): Promise<Family> {
  const { sessions, asked } = family;
  if (sessions.length === 1) return family;
  const { parent } = asked.info;
  const above = parent?.relation === 'fork' && sessions.some(({ info }) => info.id === parent.session);
  let last: OutgoingEntry | undefined;
  for await (const entry of standing(asked, above ? parent.seq : 0)) if (leads(entry)) last = entry;
  return last && !goesOn(asked, last.seq) ? { ...family, end: last.id } : onlyAsked(family);

  /** Whether something was said in forks that left behind an entry. */
  function goesOn({ info: { id } }: OutgoingSession, after: number): boolean {
    return sessions.some((other) => {
      const { parent: from, head } = other.info;
      if (from?.relation !== 'fork' || from.session !== id || from.seq < after) return false;
      return head > from.seq || goesOn(other, 0);
    });
  }
}

/** The line that is asked for, with what it shares as its own. */
export function onlyAsked({ asked }: Family): Family {
  const { parent, ...info } = asked.info;
  const alone = parent?.relation === 'fork' ? { ...asked, info } : asked;
  return { sessions: [alone], asked: alone };
}
