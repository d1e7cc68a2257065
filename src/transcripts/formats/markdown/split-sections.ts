import { SUMMARY_END, SUMMARY_START } from '../../../summary/index.ts';
import { NEXT_SESSION, RULE } from './escape-lines.ts';

/** One piece of a transcript between two rules, as it stands in the file. */
export interface MarkdownSection {
  readonly kind: 'header' | 'query' | 'restored' | 'summary' | 'other';
  readonly lines: readonly string[];
}

const QUERY = /^## Query (\d+)\b/;
const RESTORED = /^## Session Restored\b/;

/**
 * Splits a transcript into its sections, line by line. People and models write rules too, so a rule ends a section only
 * where another one, the summary or the end follows, or where the section has said all it can.
 */
export function createSectionSplitter() {
  let kind: MarkdownSection['kind'] = 'header';
  let lines: string[] = [];
  /** A rule and the blank lines behind it, until it is known what follows. */
  let rule: string[] | undefined;
  let lastQuery = 0;
  let chained = false;
  /** Whether lines end in CRLF: marked by the first one. */
  let windows: boolean | undefined;

  function close(): MarkdownSection[] {
    const section = { kind, lines };
    lines = [];
    return section.lines.some((line) => line.trim() !== '') ? [section] : [];
  }

  function kindOf(line: string): MarkdownSection['kind'] | undefined {
    const query = QUERY.exec(line);
    if (query && Number(query[1]) > lastQuery) return 'query';
    if (RESTORED.test(line)) return 'restored';
    if (line.trim() === NEXT_SESSION) return 'header';
    return line.trim() === SUMMARY_START ? 'summary' : undefined;
  }

  function begin(next: MarkdownSection['kind'], line: string): MarkdownSection[] {
    const closed = close();
    kind = next;
    rule = undefined;
    lines = next === 'header' ? [] : [line];
    if (next === 'header') [lastQuery, chained] = [0, true];
    if (next === 'query') lastQuery = Number(QUERY.exec(line)![1]);
    return closed;
  }

  return {
    take(raw: string): MarkdownSection[] {
      windows ??= raw.endsWith('\r');
      const line = windows ? raw.replace(/\r$/, '') : raw;
      if (kind === 'summary') {
        lines.push(line);
        if (line.trim() !== SUMMARY_END) return [];
        const closed = close();
        kind = 'other';
        return closed;
      }
      const next = rule || kind === 'other' ? kindOf(line) : undefined;
      if (next) return begin(next, line);
      // The blank line behind the mark of the next session is the chain's.
      if (kind === 'header' && chained && lines.length === 0 && line === '') return [];
      if (line === RULE && !rule) rule = [line];
      else if (rule && line === '') rule.push(line);
      else if (rule && (kind === 'header' || endsInStats(lines))) {
        // The header, and what has its line about time and tokens, end at their first rule, whatever follows.
        const closed = close();
        kind = 'other';
        rule = undefined;
        lines = [line];
        return closed;
      } else {
        if (rule) lines.push(...rule);
        rule = line === RULE ? [line] : undefined;
        if (!rule) lines.push(line);
      }
      return [];
    },
    end: close,
  };
}

function endsInStats(lines: readonly string[]): boolean {
  return /^\*Time: .*\*$/.test(lines.findLast((line) => line !== '') ?? '');
}

export function splitSections(text: string): MarkdownSection[] {
  const splitter = createSectionSplitter();
  return [...text.split('\n').flatMap((line) => splitter.take(line)), ...splitter.end()];
}
