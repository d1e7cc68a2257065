import {
  CLOSING_SUMMARY,
  emptySummary,
  isSessionId,
  type Message,
  type Restoration,
  type Summary,
  type Usage,
} from '../../../record/index.ts';
import { readSessionSummary } from '../../../summary/index.ts';
import { keepForeignLine } from '../../foreign-lines.ts';
import { readLines } from '../../source/read-lines.ts';
import { createRecordIds, type RecordIds } from '../../source/record-ids.ts';
import type { Found, FoundBody, FoundSettings, Reader } from '../../transcript.ts';
import type { MarkdownHeader, MarkdownStats } from './document.ts';
import { parseHeader, parseQueryLine, parseRestored } from './parse.ts';
import { createSectionSplitter, type MarkdownSection } from './split-sections.ts';
import { MARKDOWN_FORMAT } from './write.ts';

export const readMarkdown: Reader = async function* (source) {
  const splitter = createSectionSplitter();
  const converter = createConverter(source.changedAt);
  let rest: string | undefined;
  for await (const batch of readLines(source)) {
    rest = batch.rest?.text;
    const found: Found[] = [];
    for (const section of batch.lines.flatMap((line) => splitter.take(line))) converter.take(section, found);
    if (batch.notUtf8) found.push({ kind: 'damage', what: 'not-utf8' });
    if (found.length > 0) yield found;
  }
  const found: Found[] = [];
  const last = rest === undefined ? [] : splitter.take(rest);
  for (const section of [...last, ...splitter.end()]) converter.take(section, found);
  yield [...found, { kind: 'quiet' }];
};

function createConverter(changedAt: number) {
  let ids: RecordIds | undefined;
  let header: MarkdownHeader = { agent: 'Assistant' };
  let at = changedAt;
  let others = 0;

  function start(section: MarkdownSection, found: Found[]): RecordIds | undefined {
    const told = parseHeader(section.kind === 'header' ? section.lines : []);
    // Whose it is stands at the top; without that it is some other text.
    const name = told.sessionId ?? (told.date === undefined ? undefined : `${told.agent} ${told.date}`);
    if (name === undefined) return undefined;
    header = told;
    others = 0;
    at = header.date ?? changedAt;
    const settings: FoundSettings = { agent: header.agent };
    if (header.agentPath) settings.agentPath = header.agentPath;
    found.push({ kind: 'session', key: name, createdAt: at, settings });
    return createRecordIds(MARKDOWN_FORMAT, name);
  }

  /** Only the time of day is written: the day is the one that brings it nearest to the message before. */
  function timeOf(time: string | undefined): number {
    const [, hours, minutes, seconds] = /^(\d{1,2}):(\d{2}):(\d{2})$/.exec(time ?? '') ?? [];
    if (hours === undefined) return at;
    const day = new Date(at);
    const times = [-1, 0, 1].map((days) =>
      new Date(
        day.getFullYear(),
        day.getMonth(),
        day.getDate() + days,
        Number(hours),
        Number(minutes),
        Number(seconds),
      ).getTime(),
    );
    const nearest = times.sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0]!;
    return Math.max(0, nearest);
  }

  /** What a section says, by the names of its entries; `undefined` if it is not understood. */
  function entriesOf(section: MarkdownSection): readonly [name: string, body: FoundBody][] | undefined {
    if (section.kind === 'query') {
      const query = parseQueryLine(section, header.agent);
      if (!query) return undefined;
      at = timeOf(query.time);
      const { number, time, question, answer, stats } = query;
      const meta = { [MARKDOWN_FORMAT]: { number, ...(time && { time }) } };
      const asked: FoundBody = { kind: 'message', role: 'user', parts: textParts(question), meta };
      if (answer === undefined) return [[`query ${number}`, asked]];
      return [
        [`query ${number}`, asked],
        [`answer ${number}`, answerOf(answer, stats)],
      ];
    }
    if (section.kind === 'restored') {
      const restored = parseRestored(section, header.agent);
      at = timeOf(restored.time);
      const body = restorationOf(restored);
      return body && [['restored', body]];
    }
    const block = section.lines.join('\n');
    const summary = section.kind === 'summary' ? readSessionSummary(block) : undefined;
    return summary && [[`summary ${block}`, closingOf(summary, block)]];
  }

  function take(section: MarkdownSection, found: Found[]): void {
    // A second header begins the next session of a chain.
    const started = ids === undefined || section.kind === 'header' ? start(section, found) : undefined;
    ids = started ?? ids;
    if (!ids) return;
    const entry = (id: string, body: FoundBody) => ({ kind: 'entry' as const, id, at, body });
    const text = section.lines.join('\n');
    const entries = entriesOf(section);
    if (section.kind === 'header' && started) {
      found.push(entry(ids.named('header'), keepForeignLine(MARKDOWN_FORMAT, 'header', text)));
    } else if (entries) {
      for (const [name, body] of entries) found.push(entry(ids.named(name), body));
    } else {
      if (section.kind === 'summary') found.push({ kind: 'damage', what: 'misshapen' });
      const carried = keepForeignLine(MARKDOWN_FORMAT, 'section', text.replace(/\n+$/, ''));
      found.push({ ...entry(ids.nth(others++), carried), unknown: true });
    }
  }

  return { take };
}

/** The session was left with it; nothing was shortened, so it stands beside the messages and not in their place. */
function closingOf(summary: Summary, block: string): FoundBody {
  return {
    kind: 'document',
    id: CLOSING_SUMMARY,
    title: 'Session summary',
    content: { summary },
    meta: { [MARKDOWN_FORMAT]: { block } },
  };
}

function textParts(text: string): Message['parts'] {
  return [{ type: 'text', text }];
}

function answerOf(text: string, stats: MarkdownStats | undefined): Message {
  return { kind: 'message', role: 'assistant', parts: textParts(text), ...factsOf(stats) };
}

function factsOf(stats: MarkdownStats | undefined): { usage?: Usage; durationMs?: number } {
  const { seconds, inputTokens, outputTokens } = stats ?? {};
  return {
    ...(inputTokens !== undefined && outputTokens !== undefined && { usage: { inputTokens, outputTokens } }),
    ...(seconds !== undefined && { durationMs: Math.round(seconds * 1000) }),
  };
}

function restorationOf(restored: ReturnType<typeof parseRestored>): Restoration | undefined {
  const { time, from, queries, tokens, previousSession, answer, stats } = restored;
  if (from === undefined || !isSessionId(from)) return undefined;
  return {
    kind: 'restoration',
    parent: from,
    // The summary stands in the parent's transcript; what the agent made of it is here.
    summary: { ...emptySummary(`Resumed from ${from}.`) },
    ...(queries !== undefined && { queries }),
    ...(tokens !== undefined && { tokens }),
    acknowledgement: { parts: [...textParts(answer)], ...factsOf(stats) },
    meta: {
      [MARKDOWN_FORMAT]: {
        from,
        ...(time && { time }),
        ...(previousSession && { previous: previousSession }),
      },
    },
  };
}
