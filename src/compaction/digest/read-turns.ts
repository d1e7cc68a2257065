import type { Entry, EntryId } from '../../record/index.ts';
import {
  onlyLooks,
  type Piece,
  type Reading,
  readStatements,
  type Statement,
  thoughtsIn,
  todoKey,
  toolActions,
} from '../../text/index.ts';
import { withoutData } from './pasted-data.ts';
import { RAN } from './read-requests.ts';

/** What one speaker said in one message. */
export interface Utterance {
  readonly entry: EntryId;
  /** Place among all utterances of the range. */
  readonly place: number;
  readonly text: string;
  readonly statements: readonly Statement[];
}

/** What a person said, and all that the agent said and did until the person spoke again. */
export interface DigestTurn {
  readonly index: number;
  readonly user?: Utterance;
  /** In order; the last one is the answer, the others stand between tool calls. */
  readonly agent: Utterance[];
  /** Of messages in which the agent called tools and said nothing. */
  readonly thoughts: Utterance[];
  /** Tools were called. */
  tools: boolean;
  /** Something was changed or run, and not only looked at. */
  worked: boolean;
  /** The agent called tools and did not answer after that: it was stopped, or it is still at work. */
  cut: boolean;
  readonly verdicts: TurnVerdict[];
}

/** A line in which a command sums up what it did. */
export interface TurnVerdict {
  readonly text: string;
  readonly entry: EntryId;
  readonly command?: string;
}

/** The range as turns. What stands before the first message of a person is a turn without one. */
export function readTurns(readings: readonly Reading[]): DigestTurn[] {
  const turns: DigestTurn[] = [];
  let place = 0;
  let heard: string[] = [];
  const calls = new Map<string, Call>();
  const current = (): DigestTurn => turns.at(-1) ?? begin(turns, undefined);
  for (const { entry, pieces } of readings) {
    const { body } = entry;
    if (body.kind !== 'message') continue;
    const said = (by: 'user' | 'assistant') =>
      pieces
        .flatMap((piece) => (piece.kind === 'said' && piece.role === by ? [piece.text] : []))
        .join('\n')
        .trim();
    const asked = said('user');
    const text = withoutDirectives(said('assistant'));
    if (asked && !RAN.test(asked)) {
      const own = bounded(ownWords(bounded(asked, MOST_PASTED), heard), MOST_ASKED);
      begin(turns, {
        entry: entry.id,
        place: place++,
        text: own,
        statements: readStatements(own, { titles: true }),
      });
      heard = [];
    }
    if (text) {
      const short = bounded(text, MOST_ANSWERED);
      current().agent.push({
        entry: entry.id,
        place: place++,
        text: short,
        statements: readStatements(short),
      });
      heard = [...heard.slice(-2), short];
    } else if (!asked) {
      const thought = bounded(thoughtsIn(entry), MOST_ANSWERED);
      const statements = thought ? readStatements(thought) : [];
      if (statements.length > 0)
        current().thoughts.push({ entry: entry.id, place: place++, text: thought, statements });
    }
    if (text) current().cut = false;
    for (const piece of pieces) readTool(current, { piece, entry: entry.id, calls });
  }
  return turns;
}

/** When something was said: what comes later wins. */
export interface TurnMoment {
  readonly turn: number;
  readonly place: number;
}

/** What earlier summaries hand on was said before the range. */
const BEFORE: TurnMoment = { turn: -1, place: -1 };

/** The moment of any entry: a call has that of the message before it. */
export function momentsOf(
  entries: readonly Entry[],
  turns: readonly DigestTurn[],
): (entry: EntryId) => TurnMoment {
  const said = new Map(
    turns.flatMap(({ index, user, agent }) =>
      [...(user ? [user] : []), ...agent].map(({ entry, place }) => [entry, { turn: index, place }] as const),
    ),
  );
  let last: TurnMoment = { turn: 0, place: 0 };
  const moments = new Map(
    entries.map(({ id }) => {
      last = said.get(id) ?? last;
      return [id, last] as const;
    }),
  );
  return (entry) => moments.get(entry) ?? BEFORE;
}

function begin(turns: DigestTurn[], user: Utterance | undefined): DigestTurn {
  const turn: DigestTurn = {
    index: turns.length,
    ...(user && { user }),
    agent: [],
    thoughts: [],
    tools: false,
    worked: false,
    cut: false,
    verdicts: [],
  };
  turns.push(turn);
  return turn;
}

const CHANGES = new Set(['written', 'edited', 'created', 'deleted', 'moved']);

type Call = Extract<Piece, { kind: 'call' }>;

function readTool(
  current: () => DigestTurn,
  { piece, entry, calls }: { piece: Piece; entry: EntryId; calls: Map<string, Call> },
): void {
  if (piece.kind === 'said') return;
  const turn = current();
  turn.tools = true;
  if (piece.kind === 'call') {
    turn.cut = true;
    if (piece.id) calls.set(piece.id, piece);
    if (turn.worked) return;
    const { files, commands } = toolActions(piece.tool, piece.input);
    turn.worked =
      files.some(({ operation }) => CHANGES.has(operation)) ||
      commands.some((command) => !onlyLooks(command));
    return;
  }
  if (piece.failed || piece.text.length === 0) return;
  const verdicts = piece.text
    .slice(-1200)
    .split('\n')
    .filter((line) => line.length < 200 && VERDICT.test(line));
  if (verdicts.length === 0) return;
  const call = calls.get(piece.id);
  const commands = call ? toolActions(call.tool, call.input).commands : [];
  // Reading, for example of a diff or a log, is no work here.
  if (commands.length > 0 && commands.every(onlyLooks)) return;
  const [command] = commands.length === 1 && isShort(commands[0]!) ? commands : [];
  for (const line of verdicts)
    turn.verdicts.push({ text: line.trim(), entry, ...(command !== undefined && { command }) });
}

const LONGEST_COMMAND = 80;

function isShort(command: string): boolean {
  return command.length <= LONGEST_COMMAND && !command.includes('\n');
}

/** How git, test runners and forges sum up: a commit, a push, totals of tests, the address of a pull request. */
const VERDICT =
  /^\s*(?:\[[\w./-]+ (?:\(root-commit\) )?[0-9a-f]{7,}\] \S|[0-9a-f]{7,}\.\.[0-9a-f]{7,}\s+\S+ -> \S+|\*?\s*\[new (?:branch|tag)\]|Tests?:?\s+.*\d+ (?:passed|failed)|(?:test result|Test Files):? |={3,} .*\d+ (?:passed|failed).* ={3,}|(?:# )?(?:pass|fail) \d+$|\d+ (?:passing|failing)\b|ok\s+\S+\s+[\d.]+m?s\b|(?:Found )?\d+ (?:issues?|errors?|problems?)(?: found)?[.!]?\s*$|All checks passed|(?:Build|Compil\w+) (?:succeeded|successful)|BUILD SUCCESSFUL|\d+ files? changed, \d|https:\/\/\S+\/(?:pull|merge_requests)\/\d+\s*$)/;

/** What some agents write to the program around them, and no person reads. */
export const DIRECTIVE = /^::[\w-]+\{.*\}\s*$|^No response requested\.$/m;

function withoutDirectives(text: string): string {
  if (!DIRECTIVE.test(text)) return text;
  return text
    .split('\n')
    .filter((line) => !DIRECTIVE.test(line))
    .join('\n')
    .trim();
}

/** Of a message, pasted text included; and what the person wrote of it. */
const MOST_PASTED = 30_000;
const MOST_ASKED = 9_000;
const MOST_ANSWERED = 7000;

/** The beginning and the end: what lies between in so long a text is mostly pasted, or details. */
function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.floor(most * 0.4));
  const tail = text.slice(-Math.floor(most * 0.6));
  return `${head.slice(0, head.lastIndexOf('\n') + 1 || undefined)}\n\n${tail.slice(tail.indexOf('\n') + 1)}`;
}

/** Lines that people copy from a screen: log levels, prompts, times, stack frames, what a tool printed. */
const PASTED =
  /^\s*(?:\[(?:WARN|ERROR|INFO|DEBUG|\d)[^\]]*\]|\S{1,60}@\S{1,60}[^\n]{0,60}[%$#] |[$%❯➜] |\d{4}-\d\d-\d\d[T ]|at \S+ \(|\W*(?:error|warn(?:ing)?|info|debug|hint)\b[:\s[]|Ran `|> \S+@\d|(?:mv|cp|ls|rm|cat|bash|zsh|git|npm): |<([\w-]+)>[^<]*<\/\1>\s*$|\(End of file)/i;
const CODE =
  /[;{}]\s*$|^\s*(?:import|export|const|let|var|function|class|def|return|if \(|for \(|#include|<\/?\w+[^>]*>$|\}|\{|\/\/|\/\*|\*\/|@\w+)|=>|^\s*["'][\w-]+["']\s*:/;

/** Words before a paste on the same line. */
const LEADS_IN = /^\s*((?:[\p{L}\p{N}'’,-]+ ){2,}[\p{L}\p{N}'’-]+:)\s*[[{<"]/u;

const LEAST_HEARD = 25;

/** The person's words, without pastes: code, output, and sentences that the agent had just said. */
function ownWords(text: string, heard: readonly string[]): string {
  const lines = withoutData(text).split('\n');
  const said = heard.map(todoKey);
  const wasHeard = (words: string) => {
    if (words.length < LEAST_HEARD) return false;
    const plain = todoKey(words);
    return plain.length >= LEAST_HEARD && said.some((text) => text.includes(plain));
  };
  const withoutHeard = (line: string) =>
    line
      .split(/(?<=[.!?]) (?=\S)/)
      .filter((sentence) => !wasHeard(sentence))
      .join(' ');
  const isCode = lines.map((line) => CODE.test(line));
  const dropCode = isCode.filter(Boolean).length > lines.length * 0.3;
  const own = lines.map((line, at) => {
    if (PASTED.test(line)) return '';
    if (dropCode && isCode[at]) return LEADS_IN.exec(line)?.[1] ?? '';
    return heard.length === 0 ? line : withoutHeard(line);
  });
  const kept = own.join('\n').trim();
  return /\p{L}{2}|\p{Lo}/u.test(kept) ? kept : text;
}
