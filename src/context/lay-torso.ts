import {
  type Entry,
  isHidden,
  isMarked,
  isPinned,
  type Message,
  standingInstructions,
} from '../record/index.ts';
import type { ContextState } from './context.ts';
import type { Draft } from './draft.ts';
import { type Block, layBlocks } from './lay-blocks.ts';
import { pairTools, type Spoken } from './pair-tools.ts';
import { isSameModel } from './provider-bound.ts';
import { renderMessage } from './render-message.ts';
import { withSendIds } from './send-ids.ts';
import type { LeftOutTally } from './tally-left-out.ts';

export interface Torso {
  /** Texts of the system messages at the very beginning, which belong to the head. */
  readonly system: readonly string[];
  /** Those system messages. */
  readonly standing: readonly Entry[];
  /** A fresh draft: the ladder changes the one it is given. */
  draft(fixedTokens: number): Draft;
  /** What is left out however much room there is. */
  tell(leftOut: LeftOutTally): void;
}

/** The conversation as it can be sent, before it is made to fit. */
export function layTorso({ frontier, pinned, marks, model }: ContextState): Torso {
  const hides = (entry: Entry) => isHidden(marks, entry);
  const spoken = frontier.flatMap((entry) =>
    entry.body.kind === 'message' ? [speak(entry, entry.body, { model, hidden: hides(entry) })] : [],
  );
  const standing = new Set(standingInstructions(frontier));
  const leading = new Set(spoken.filter(({ entry }) => standing.has(entry)));
  const { paired, unpaired } = pairTools(spoken.filter((one) => !leading.has(one)));
  const blocks = layBlocks(frontier, withSendIds(paired), { model, isHidden: hides });
  const bare = new Set(frontier.map(({ id }) => id));
  // A pinned result whose call is gone has no place among the messages, but it is pinned.
  const placed = new Set(blocks.flatMap(({ entries }) => entries));
  const stranded = unpaired.flatMap(({ entry }) =>
    isPinned(marks, entry) && !placed.has(entry) ? [entry] : [],
  );
  const covered = pinned.filter((entry) => !bare.has(entry.id) && !hides(entry));
  const pins = [...new Set([...covered, ...stranded])];

  return {
    system: [...leading].flatMap(({ rendered, hidden }) =>
      hidden ? [] : [rendered.parts.map(({ text }) => text as string).join('\n')],
    ),
    standing: [...leading].flatMap(({ entry, hidden }) => (hidden ? [] : [entry])),
    draft: (fixedTokens) => ({
      fixedTokens,
      began: frontier.length > 0,
      blocks: blocks.map((block): Block => ({ ...block })),
      isPinned: (entry) => isPinned(marks, entry),
      pins,
      gaps: new Map(),
    }),
    tell(leftOut) {
      for (const entry of frontier) {
        if (!hides(entry)) continue;
        const isRemoved = isMarked(marks.removed, entry, { compactions: 'by-cover' });
        leftOut.add('entries', isRemoved ? 'removed' : 'excluded', entry, entry.tokens);
      }
      for (const { entry, rendered, hidden } of spoken) {
        if (hidden) continue;
        const lost = Math.max(0, entry.tokens - rendered.tokens);
        for (const [index, { what, reason }] of rendered.dropped.entries()) {
          leftOut.add(what, reason, entry, index === 0 ? lost : 0);
        }
      }
      for (const { entry, reason, tokens } of unpaired) leftOut.add('tool results', reason, entry, tokens);
    },
  };
}

function speak(
  entry: Entry,
  body: Message,
  { model, hidden }: { model: string | undefined; hidden: boolean },
): Spoken {
  return { entry, role: body.role, hidden, rendered: renderMessage(entry, body, isSameModel(body, model)) };
}
