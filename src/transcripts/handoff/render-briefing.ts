import type { SessionId } from '../../record/index.ts';

/** A line of the state of the work, and the entry it came from. */
export interface BriefingLine {
  readonly text: string;
  readonly entry?: number;
}

/** The facts that a successor needs besides the messages. */
export interface Briefing {
  readonly session: SessionId;
  readonly goal: {
    /** The title of the session, or its first question. */
    readonly title: string;
    readonly first?: string;
    readonly latest?: BriefingLine;
  };
  readonly open: readonly BriefingLine[];
  readonly blockers: readonly BriefingLine[];
  readonly decisions: readonly BriefingLine[];
  readonly done: readonly BriefingLine[];
  readonly facts: readonly BriefingLine[];
  readonly files: readonly { readonly path: string; readonly operations: readonly string[] }[];
  /** Where the originals are: what to type, and what it shows. */
  readonly pointers: readonly { readonly command: string; readonly shows: string }[];
}

const MOST = 12;
const LONGEST = 600;

/** The briefing as a text that any agent can read. */
export function renderBriefing(briefing: Briefing): string {
  const { session, goal, files, pointers } = briefing;
  const goals = [
    { text: goal.title },
    ...(goal.first && goal.first !== goal.title ? [{ text: `Asked first: ${goal.first}` }] : []),
    ...(goal.latest ? [{ ...goal.latest, text: `Asked last: ${goal.latest.text}` }] : []),
  ];
  const sections = [
    section('Goal', goals),
    section('Open', briefing.open),
    section('In the way', briefing.blockers),
    section('Decided', briefing.decisions),
    section('Done', briefing.done),
    section('Known', briefing.facts),
    section(
      'Files',
      files.map(({ path, operations }) => ({
        text: `${path}${operations.length > 0 ? ` (${operations.join(', ')})` : ''}`,
      })),
    ),
    section(
      'Originals',
      pointers.map(({ command, shows }) => ({ text: `\`${command}\`: ${shows}` })),
    ),
  ];
  const head = `# Handed over\n\nThis conversation was handed over from Throughline, session ${session}. What stands above is what was said; this is where the work stands. Numbers are entries of that session.`;
  return [head, ...sections.filter(Boolean)].join('\n\n');
}

/** The newest lines; the rest is in the originals. */
function section(title: string, lines: readonly BriefingLine[]): string {
  if (lines.length === 0) return '';
  const shown = lines
    .slice(-MOST)
    .map(({ text, entry }) => `- ${oneLine(text)}${entry === undefined ? '' : ` [${entry}]`}`);
  const more = lines.length > MOST ? [`- and ${lines.length - MOST} older`] : [];
  return [`## ${title}`, '', ...shown, ...more].join('\n');
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…` : line;
}
