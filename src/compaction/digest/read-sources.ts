import type { Entry } from '../../record/index.ts';
import { type Piece, pieceTextOf, type Reading, readsFiles } from '../../text/index.ts';
import { withoutData } from './pasted-data.ts';
import type { UnitSource } from './unit-rows.ts';

/** What people say counts most; an answer counts more than the talk between tool calls; output is mostly data. */
const WEIGHTS = { user: 1.1, answer: 1, talk: 0.5, report: 0.7, output: 0.15 } as const;
const OUTPUT_HEAD = 800;
const FAILED_HEAD = 80;
const FAILED =
  /^\W*(?:fatal|error|fail(?:ed|ure)|exception|traceback|denied|cannot|unable)\b|\b(?:timed out|permission denied|not permitted)\b/i;
const REPORT_HEAD = 12_000;
/** Other agents: what they hand back was written to be read. */
const REPORTERS = /^(?:task|agent|spawn_agent|delegate\w*|dispatch\w*|subagent\w*|run_agent)$/;

/** The texts of the range that facts can be taken from, in conversation order. */
export function readSources(readings: readonly Reading[]): UnitSource[] {
  const sources: UnitSource[] = [];
  const tools = new Map<string, string>();
  for (const { entry, pieces } of readings) {
    if (entry.body.kind === 'document') {
      sources.push({
        text: pieceTextOf(entry.body.content),
        from: [entry.id],
        weight: WEIGHTS.report,
        by: 'tool',
      });
    }
    const calls = pieces.some(({ kind }) => kind === 'call');
    for (const piece of pieces) {
      if (piece.kind === 'call') tools.set(piece.id, piece.tool);
      const source = toSource(piece, { entry, calls, tool: tools });
      if (source) sources.push(source);
    }
  }
  return sources;
}

function toSource(
  piece: Piece,
  { entry, calls, tool }: { entry: Entry; calls: boolean; tool: ReadonlyMap<string, string> },
): UnitSource | undefined {
  const from = [entry.id];
  if (piece.kind === 'said') {
    const weight =
      piece.role === 'user' ? WEIGHTS.user * ownShare(piece.text) : calls ? WEIGHTS.talk : WEIGHTS.answer;
    const text = piece.role === 'user' ? withoutData(piece.text) : piece.text;
    return text ? { text, from, weight, by: piece.role } : undefined;
  }
  if (piece.kind === 'call') return undefined;
  const name = piece.tool || (tool.get(piece.id) ?? '');
  if (readsFiles(name)) return undefined;
  if (REPORTERS.test(name)) {
    return { text: piece.text.slice(0, REPORT_HEAD), from, weight: WEIGHTS.report, by: 'assistant' };
  }
  // What a command prints can be had again; why it failed is worth a line.
  if (!piece.failed && !FAILED.test(piece.text.slice(0, FAILED_HEAD))) return undefined;
  return { text: piece.text.slice(0, OUTPUT_HEAD), from, weight: WEIGHTS.output, by: 'tool' };
}

const WRITTEN = 1500;

/** People write a few hundred characters; of a longer message most was pasted. */
function ownShare(text: string): number {
  return Math.max(0.35, Math.min(1, Math.sqrt(WRITTEN / text.length)));
}
