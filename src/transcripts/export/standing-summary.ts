import type { Compaction, Root } from '../../record/index.ts';
import { renderSummary } from '../../summary/index.ts';
import type { OutgoingEntry, OutgoingSession } from '../transcript.ts';

interface Standing {
  readonly text: string;
  /** The last entry that is covered. */
  readonly to: number;
}

/**
 * Other programs have one summary that stands for everything before a point; we have several, side by side. While a log
 * is written out, this says what that one summary is: all that stand from the beginning without a gap, oldest first.
 */
export function createSummaries() {
  const byParent = new Map<string, { at: number; roots: Known[] }[]>();
  const known = new Map<string, Known[]>();

  function rootsOf({ info: { id, parent } }: OutgoingSession): Known[] {
    let roots = known.get(id);
    if (!roots) {
      const states = parent?.relation === 'fork' ? (byParent.get(parent.session) ?? []) : [];
      roots = states.findLast(({ at }) => at <= parent!.seq)?.roots ?? [];
      known.set(id, roots);
    }
    return roots;
  }

  return {
    add(session: OutgoingSession, { id, seq, body }: OutgoingEntry): void {
      if (body.kind !== 'compaction') return;
      const { covers, level } = body;
      const covered = ({ from, to }: Root) => from >= covers.from && to <= covers.to;
      const others = rootsOf(session).filter((root) => !covered(root));
      const roots = [...others, { id, seq, level, ...covers, summary: body.summary }].sort(
        (a, b) => a.from - b.from,
      );
      known.set(session.info.id, roots);
      const states = byParent.get(session.info.id) ?? [];
      byParent.set(session.info.id, [...states, { at: seq, roots }]);
    },
    standing(session: OutgoingSession): Standing | undefined {
      const roots = rootsOf(session);
      const texts: string[] = [];
      let to = roots[0]?.to ?? 0;
      for (const [index, root] of roots.entries()) {
        if (index > 0 && root.from > to + 1) break;
        to = root.to;
        texts.push(renderSummary(root.summary));
      }
      return texts.length === 0 ? undefined : { text: texts.join('\n\n'), to };
    },
  };
}

type Known = Root & { readonly summary: Compaction['summary'] };
