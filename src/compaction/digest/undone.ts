import type { EntryId } from '../../record/index.ts';
import { type Cues, contentWords, createLine, type Line, sharedWords } from '../../text/index.ts';
import type { DigestTurn } from './read-turns.ts';
import { takenBackAtOnce } from './taken-back-at-once.ts';

/** So many turns back a person means when they name a step to undo. */
const REACH = 12;
const LONGEST_UNDO = 200;
const LONGEST_UNDONE = 160;
/** Asks about it, and takes nothing back. */
const WONDERS =
  /^\P{L}*(?:why|how|what|when|where|did|does|do|is|are|was|were|has|have|warum|wie|wann|wo|was|hat|ist|pourquoi|comment|quand|por qué|cómo|cuándo|por que|como|perché|come|quando|почему|как|когда)(?!\p{L})/iu;
const POINTS_BACK =
  /(?<!\p{L})(?:that|it|this|everything|das|es|alles|ça|cela|tout|eso|esto|lo|todo|isso|isto|tudo|questo|tutto|это|всё|그거|그것|그건|이거)(?!\p{L})|それ|これ|这|那/iu;

interface Undo {
  /** The turn whose outcome no longer stands. */
  readonly turn: number;
  readonly sentence: string;
  readonly by: EntryId;
  readonly at: DigestTurn;
}

/**
 * Leaves out what a turn did or decided that the person took back later ("undo that", "hm, revert the rename"). The request
 * stands with the words that took it back, so that a successor does not try it again.
 */
export function withoutUndone(
  lines: readonly Line[],
  turns: readonly DigestTurn[],
  cues: Cues,
): { readonly kept: Line[]; readonly undone: Line[] } {
  const undone = undoneTurns(lines, turns, cues);
  const taken = takenBackAtOnce(lines, turns, cues);
  if (undone.size === 0 && taken.size === 0) return { kept: [...lines], undone: [] };
  const sentences = new Set([...undone.values()].map(({ sentence }) => sentence));
  const isUndone = (line: Line) =>
    undone.has(line.turn) &&
    !tellsOwn(line) &&
    (OUTCOMES.has(line.section) || line.act === 'asked' || line.act === 'fact');
  const undoes = ({ by, text }: Line) =>
    by === 'user' && (sentences.has(text) || sentences.has(text.split(' → ').at(-1)!));
  const kept = lines.filter(
    (line) => line.act === 'carried' || !(isUndone(line) || taken.has(line) || undoes(line)),
  );
  const left = new Set(kept);
  const told = [...undone.values()].flatMap((undo) => toldOf(undo, turns, lines));
  return { kept: [...kept, ...told], undone: lines.filter((line) => !left.has(line)) };
}

/** The person reports what they did themselves: "undo that" means what the agent did. */
function tellsOwn({ by, act, from }: Line): boolean {
  return by === 'user' && act === 'done' && from.length === 1;
}

const OUTCOMES = new Set<Line['section']>(['decisions', 'completed', 'pending']);

function undoneTurns(lines: readonly Line[], turns: readonly DigestTurn[], cues: Cues): Map<number, Undo> {
  const undone = new Map<number, Undo>();
  for (const [at, turn] of turns.entries()) {
    const sentence = turn.user?.statements
      .slice(0, 2)
      .map(({ text }) => text)
      .find((text) => text.length <= LONGEST_UNDO && cues.undoes.test(text) && !WONDERS.test(text));
    if (!turn.user || sentence === undefined) continue;
    const target = targetOf(sentence, { at, turns, lines, undone });
    if (target === undefined) continue;
    // An undone step that is put back stands again.
    const again = [...undone.values()].find((undo) => undo.at.index === target);
    if (again) undone.delete(again.turn);
    undone.set(target, { turn: target, sentence, by: turn.user.entry, at: turn });
  }
  return undone;
}

/** The turn before it, or the one whose words it names. */
function targetOf(
  sentence: string,
  {
    at,
    turns,
    lines,
    undone,
  }: { at: number; turns: readonly DigestTurn[]; lines: readonly Line[]; undone: ReadonlyMap<number, Undo> },
): number | undefined {
  const words = contentWords(sentence);
  const settles = new Set(
    lines.flatMap(({ turn, section, act }) => (OUTCOMES.has(section) && act !== 'carried' ? [turn] : [])),
  );
  const before = turns
    .slice(Math.max(0, at - REACH), at)
    .filter(({ index, worked }) => !undone.has(index) && (worked || settles.has(index)))
    .reverse();
  const named = before.find((turn) => {
    const shared = sharedWords(words, contentWords(saidIn(turn)));
    return shared >= (turn === before[0] || !POINTS_BACK.test(sentence) ? 1 : 2);
  });
  return (named ?? before[0])?.index;
}

function saidIn({ user, agent }: DigestTurn): string {
  return [user?.text.slice(0, 1000) ?? '', agent.at(-1)?.text.slice(0, 1000) ?? ''].join(' ');
}

function toldOf({ turn, sentence, by }: Undo, turns: readonly DigestTurn[], lines: readonly Line[]): Line[] {
  const { user, agent } = turns.find(({ index }) => index === turn) ?? {};
  const isOwn = lines.some((line) => line.turn === turn && tellsOwn(line));
  const said = isOwn ? agent?.at(-1) : user;
  const telling = said?.statements.filter(({ text }) => contentWords(text).size >= 2);
  const asked = (isOwn ? telling?.at(-1) : telling?.[0])?.text;
  if (!user || !said || asked === undefined) return [];
  const text = asked.length <= LONGEST_UNDONE ? `${asked} → ${sentence}` : sentence;
  return [
    createLine({
      text,
      from: [said.entry, by],
      by: 'user',
      act: 'changed',
      section: 'dropped',
      value: UNDONE,
      place: said.place,
      turn,
    }),
  ];
}

const UNDONE = 0.8;
