import { existsSync, readFileSync } from 'node:fs';

// LoCoMo: ten long conversations in sittings, with questions and the turns that answer them. The data stays where it is
// (its licence forbids shipping it); without it the benchmark says so.

const FILE = new URL('../../shared/data/memory-bench/locomo10.json', import.meta.url);

export interface Turn {
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
  readonly at: number;
}

export interface Question {
  readonly text: string;
  readonly category: 'single-hop' | 'multi-hop' | 'temporal' | 'open-domain';
  /** Ids of the turns that answer it. */
  readonly evidence: ReadonlySet<string>;
}

export interface Conversation {
  readonly sittings: readonly (readonly Turn[])[];
  readonly questions: readonly Question[];
}

const CATEGORIES = { 1: 'multi-hop', 2: 'temporal', 3: 'open-domain', 4: 'single-hop' } as const;

interface Sample {
  readonly conversation: Record<string, unknown>;
  readonly qa: readonly { question: string; category: number; evidence?: readonly unknown[] }[];
}

/** `undefined` where the file is not beside the project. */
export function readLocomo(): Conversation[] | undefined {
  if (!existsSync(FILE)) return undefined;
  return (JSON.parse(readFileSync(FILE, 'utf8')) as Sample[]).map(toConversation);
}

function toConversation({ conversation, qa }: Sample): Conversation {
  const sittings: Turn[][] = [];
  for (let n = 1; `session_${n}` in conversation || `session_${n}_date_time` in conversation; n++) {
    const start = timeOf(String(conversation[`session_${n}_date_time`] ?? ''));
    const turns = (conversation[`session_${n}`] ?? []) as Record<string, string>[];
    sittings.push(
      turns.map(({ dia_id, speaker, text = '', blip_caption }, index) => ({
        id: dia_id!,
        speaker: speaker!,
        text: blip_caption ? `${text} [image: ${blip_caption}]` : text,
        at: start + index * 60_000,
      })),
    );
  }
  const ids = new Set(sittings.flat().map(({ id }) => id));
  return { sittings, questions: qa.flatMap((question) => toQuestion(question, ids)) };
}

function toQuestion(
  { question, category, evidence = [] }: Sample['qa'][number],
  ids: Set<string>,
): Question[] {
  const name = CATEGORIES[category as keyof typeof CATEGORIES];
  // References are written in several ways: "D8:6; D9:17", "D:11:26", "D30:05".
  const turns = evidence
    .flatMap((reference) => [...String(reference).matchAll(/D:?\s*(\d+)\s*:\s*(\d+)/g)])
    .map(([, sitting, turn]) => `D${Number(sitting)}:${Number(turn)}`)
    .filter((id) => ids.has(id));
  return name && turns.length > 0 ? [{ text: question, category: name, evidence: new Set(turns) }] : [];
}

/** "1:56 pm on 8 May, 2023". */
function timeOf(text: string): number {
  const match = /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/.exec(text);
  if (!match) return 0;
  const [, hour, minute, half, day, month, year] = match;
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  const date = new Date(`${day} ${month} ${year} 00:00:00 UTC`);
  return date.getTime() + (hours * 60 + Number(minute)) * 60_000;
}
