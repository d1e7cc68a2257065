import { digestEntries, measureRetention } from '../../compaction/index.ts';
import {
  type Compaction,
  type Entry,
  emptySummary,
  isHidden,
  type Part,
  type SeqRange,
  type SessionInfo,
  type Summary,
  standingInstructions,
  type Usage,
} from '../../record/index.ts';
import { countPart } from '../../tokens/index.ts';
import type { ModelRequest } from '../request/build-request.ts';

/** For people and other models, of what only the provider can read. */
const TWIN_TOKENS = 2_000;

/**
 * The compaction that a provider made of a request unasked. It covers the messages before the newest question, or inside a
 * first turn the steps behind it; the question stays, so that it can be asked again. `undefined` where nothing is before it.
 */
export function nativeCompaction(
  info: SessionInfo,
  { frontier, seq: upTo }: Pick<ModelRequest, 'frontier' | 'seq'>,
  {
    block,
    model,
    usage,
  }: { readonly block: Part; readonly model: string; readonly usage?: Usage | undefined },
): Compaction | undefined {
  const entries = coveredBy(frontier, upTo);
  if (entries.length === 0) return undefined;
  const covers = spanOf(entries);
  const children = info.state.roots.filter(({ from, to }) => from >= covers.from && to <= covers.to);
  const seen = entries.filter((entry) => !isHidden(info.state, entry));
  const summary = summaryOf(block, seen);
  return {
    kind: 'compaction',
    level: Math.max(0, ...children.map(({ level }) => level)) + 1,
    covers,
    children: children.map(({ id }) => id),
    summary,
    tokensBefore: seen.reduce((sum, { tokens }) => sum + tokens, 0),
    tokensAfter: countPart(block),
    by: { kind: 'provider', model },
    retention: measureRetention(seen, summary).score,
    ...(usage && { usage }),
    meta: { native: { model, upTo, part: block } },
  };
}

function coveredBy(frontier: readonly Entry[], upTo: number): readonly Entry[] {
  const standing = new Set(standingInstructions(frontier));
  const said = frontier.filter((entry) => !standing.has(entry) && entry.seq <= upTo);
  const question = said.findLastIndex(({ body }) => body.kind === 'message' && body.role === 'user');
  const before = question < 0 ? said : said.slice(0, question);
  return before.length > 0 ? before : said.slice(question + 1);
}

function spanOf(entries: readonly Entry[]): SeqRange {
  const spans = entries.map(({ seq, body }) =>
    body.kind === 'compaction' ? body.covers : { from: seq, to: seq },
  );
  return { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) };
}

/** What the provider wrote where it can be read, and else a digest. */
function summaryOf(block: Part, entries: readonly Entry[]): Summary {
  const { text } = block;
  return typeof text === 'string' && text.trim() !== ''
    ? emptySummary(text)
    : digestEntries(entries, { maxTokens: TWIN_TOKENS });
}
