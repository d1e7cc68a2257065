import { createHash } from 'node:crypto';
import type { Recalled } from '../../context/index.ts';
import type { Entry, Seq } from '../../record/index.ts';
import { type AnswerNotes, answerNotes } from './answer-notes.ts';
import type { Request } from './build-request.ts';
import type { Frame } from './frame.ts';
import { prefixNote } from './prefix-change.ts';

// What was sent can be built again from the log, but for what stands around the conversation and what was recalled. Both
// are written down with the first answer that they were sent for; later answers say where.

/** Something that is written down once: what it is, and the number of the answer that holds it, if that is another one. */
export interface Noted {
  readonly hash: string;
  readonly at?: Seq;
}

/** What an answer that holds them has in `meta`, beside the notes in `meta.run`. */
export interface HeldNotes {
  readonly request?: Frame;
  readonly recalled?: readonly Recalled[];
}

/** What is kept with an answer about its request. */
export function noteRequest({ context, estimated, seq, frame, recalled, newest }: Request): {
  readonly run: Pick<AnswerNotes, 'estimated' | 'prefix' | 'seq' | 'sent' | 'frame' | 'recall'>;
  readonly held: HeldNotes;
} {
  const framed = noteOnce(frame, newest, 'frame');
  const found = recalled.length === 0 ? undefined : noteOnce(recalled, newest, 'recall');
  return {
    run: {
      estimated,
      prefix: prefixNote(context),
      seq,
      sent: context.prefix.at(-1)!,
      frame: framed,
      ...(found && { recall: found }),
    },
    held: {
      ...(framed.at === undefined && { request: frame }),
      ...(found && found.at === undefined && { recalled }),
    },
  };
}

function noteOnce(value: unknown, newest: readonly Entry[], name: 'frame' | 'recall'): Noted {
  const hash = createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
  for (const entry of newest) {
    const known = answerNotes(entry)[name];
    if (known?.hash === hash) return { hash, at: known.at ?? entry.seq };
  }
  return { hash };
}
