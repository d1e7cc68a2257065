import type { Entry } from '../../record/index.ts';
import { asks, type Cues, cuesFor } from '../language/cues.ts';
import { splitSentences } from '../language/split-sentences.ts';
import { onlyLooks } from '../tool-actions/only-looks.ts';
import { type Piece, piecesOfEntries } from '../tool-actions/read-pieces.ts';
import { toolActions } from '../tool-actions/tool-actions.ts';

// That tests pass, a build is green or something was deployed needs a trace in the summarised range: a command that did it
// and did not fail, or a message about it. A model may write it from habit.

type Outcome =
  | 'saysTested'
  | 'saysBuilt'
  | 'saysDeployed'
  | 'saysMerged'
  | 'saysPushed'
  | 'saysVerified'
  | 'saysDocumented'
  | 'saysOpened';

/** By outcome: what a command or its output shows of it. */
const TRACES: Readonly<Record<Outcome, RegExp>> = {
  saysTested:
    /\b(?:\w*tests?|vitest|jest|pytest|mocha|rspec|phpunit|unittest|tox|playwright|cypress|(?:run|make|cargo) check|ci)\b/i,
  saysBuilt:
    /\b(?:build|built|compil\w+|tsc|make|(?:run|cargo) check|cargo|gradle|mvn|webpack|vite|rollup|cmake|go (?:vet|test|run)|ci)\b/i,
  saysDeployed:
    /\b(?:deploy\w*|publish\w*|releas\w*|kubectl|helm|terraform|rollout|upload\w*|vercel|netlify|scp|rsync|systemctl|docker|https?:\/\/localhost)\b/i,
  saysMerged: /\bmerged?\b|\brebase\b|fast-forward/i,
  saysPushed: /\bpush(?:ed)?\b|->/i,
  // Whatever was run may have been run to see whether it works.
  saysVerified: /\b(?:curl|wget|playwright)\b/i,
  saysDocumented: /\b(?:readme|changelog|docs?|documentation)\b|\.(?:md|mdx|rst|adoc)\b/i,
  saysOpened: /\b(?:create|open|pr|mr|issues?|ticket)\b|pull[_ ]?request/i,
};
const OUTCOMES = Object.keys(TRACES) as Outcome[];

/** What a text says to have happened, in the words it says it with. Questions, wishes and plans have not happened. */
export function createOutcomeReader(
  spoken: readonly string[],
): (text: string) => ReadonlyMap<Outcome, string> {
  const cues = cuesFor(spoken);
  return (text) => {
    const found = new Map<Outcome, string>();
    for (const sentence of splitSentences(text)) {
      if (asks(sentence)) continue;
      for (const clause of sentence.split(CLAUSES)) {
        if (!isReal(clause, cues)) continue;
        for (const outcome of OUTCOMES)
          if (!found.has(outcome) && cues[outcome].test(clause)) found.set(outcome, clause.trim());
      }
    }
    return found;
  };
}

const CLAUSES = /[;:(–—]\s|,\s(?=but |and |aber |und |mais |et |pero |y |mas |ma |но |и )|，|、但/u;
const HOPED =
  /(?<!\p{L})(?:ensure\p{L}*|make sure|whether|so that|to see|ask(?:s|ed)?|want\p{L}*|requested|requires?|nobody|none|no longer|without (?!errors?|warnings?|failures?)|damit|sicherstellen|ob|pour que|s['’]assurer|que (?:pasen|passem)|asegur\p{L}+|garant\p{L}+|affinché|чтобы|чтоб)(?!\p{L})|ように|かどうか|确保|是否|确认是否|지 확인/iu;

function isReal(clause: string, cues: Cues): boolean {
  return !cues.unreal.test(clause) && !cues.strict.test(clause) && !HOPED.test(clause);
}

/** Tells whether an outcome left a trace in the entries, or a message there or before reports it. */
export function readOutcomes(
  entries: readonly Entry[],
  { older, read }: { older: readonly string[]; read: (text: string) => ReadonlyMap<Outcome, string> },
): (outcome: Outcome) => boolean {
  let seen: ReadonlySet<Outcome> | undefined;
  return (outcome) => {
    seen ??= seenIn(entries, older, read);
    return seen.has(outcome);
  };
}

function seenIn(
  entries: readonly Entry[],
  older: readonly string[],
  read: (text: string) => ReadonlyMap<Outcome, string>,
): ReadonlySet<Outcome> {
  const seen = new Set(older.flatMap((text) => [...read(text).keys()]));
  const pieces = piecesOfEntries(entries).flatMap((reading) => reading.pieces);
  const calls = new Map<string, string>();
  const written = new Map<string, string>();
  for (const piece of pieces) {
    if (seen.size === OUTCOMES.length) break;
    if (piece.kind === 'said') for (const outcome of read(piece.text).keys()) seen.add(outcome);
    else if (piece.kind === 'call') {
      calls.set(piece.id, commandOf(piece));
      written.set(piece.id, writtenBy(piece));
    } else if (!piece.failed && !piece.exit) {
      const command = calls.get(piece.id) ?? '';
      for (const outcome of OUTCOMES) if (TRACES[outcome].test(command)) seen.add(outcome);
      if (TRACES.saysDocumented.test(written.get(piece.id) ?? '')) seen.add('saysDocumented');
      if (command && !onlyLooks(command)) seen.add('saysVerified');
      for (const outcome of read(piece.text.slice(-REPORTED)).keys()) seen.add(outcome);
    }
  }
  return seen;
}

/** The end of an output is where a run says how it went. */
const REPORTED = 2_000;

/** What a call runs; a tool of another kind is known by its name. */
function commandOf({ tool, input }: Extract<Piece, { kind: 'call' }>): string {
  const { commands, files } = toolActions(tool, input);
  return commands.length > 0 ? commands.join('\n') : files.length > 0 ? '' : tool;
}

/** The files that a call changes. */
function writtenBy({ tool, input }: Extract<Piece, { kind: 'call' }>): string {
  const changed = toolActions(tool, input).files.filter(
    ({ operation }) => operation !== 'read' && operation !== 'searched',
  );
  return changed.map(({ path }) => path).join('\n');
}
