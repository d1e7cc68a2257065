import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadLocomo, toConversation } from './locomo.ts';

/** A chat with questions about it. Turns of one sitting are one session. */
export interface Chat {
  readonly turns: readonly ChatTurn[];
  readonly questions: readonly ChatQuestion[];
}

export interface ChatTurn {
  readonly id: string;
  readonly sitting: string;
  readonly speaker: string;
  readonly text: string;
  readonly at: number;
}

export interface ChatQuestion {
  readonly text: string;
  readonly kind: string;
  /** Indexes of the turns that answer. */
  readonly evidence: readonly number[];
}

/**
 * LoCoMo, if it lies beside the project, or every chat in a folder: JSON files in LoCoMo's own form, or of objects with
 * `turns` (`id`, `speaker`, `text`, and `at` as milliseconds or ISO text and `sitting` if known) and `questions`
 * (`question`, `evidence` as ids of turns, and `kind`).
 */
export function loadChats(folder?: string): Chat[] | undefined {
  if (folder === undefined) return loadLocomo()?.map(fromLocomo);
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort();
  const samples = files.flatMap((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')));
  return samples.map((sample) => ('qa' in sample ? fromLocomo(toConversation(sample)) : fromPlain(sample)));
}

function fromLocomo({ turns, questions }: ReturnType<typeof toConversation>): Chat {
  return {
    // Turns are called "D8:6": the sixth of the eighth sitting.
    turns: turns.map((turn) => ({ ...turn, sitting: turn.id.split(':')[0]! })),
    questions: questions.map(({ text, category, evidence }) => ({ text, kind: category, evidence })),
  };
}

interface Plain {
  readonly turns: readonly {
    readonly id: string | number;
    readonly speaker?: string;
    readonly text: string;
    readonly at?: number | string;
    readonly sitting?: string | number;
  }[];
  readonly questions: readonly {
    readonly question: string;
    readonly evidence: readonly (string | number)[];
    readonly kind?: string | number;
  }[];
}

function fromPlain({ turns, questions }: Plain): Chat {
  const places = new Map(turns.map(({ id }, index) => [String(id), index]));
  return {
    turns: turns.map(({ id, speaker = 'someone', text, at, sitting = 0 }, index) => ({
      id: String(id),
      sitting: String(sitting),
      speaker,
      text,
      at: at === undefined ? index * 60_000 : new Date(at).getTime(),
    })),
    questions: questions
      .map(({ question, evidence, kind = 'all' }) => ({
        text: question,
        kind: String(kind),
        evidence: [...new Set(evidence.flatMap((id) => places.get(String(id)) ?? []))],
      }))
      .filter(({ evidence }) => evidence.length > 0),
  };
}
