import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isThroughlineError } from '../src/errors.ts';
import {
  compactSession,
  contextFor,
  countText,
  createSession,
  type Entry,
  importFile,
  type Message,
  openSession,
  openStore,
  PRESETS,
  type Session,
  type Store,
} from '../src/index.ts';
import {
  falseLines,
  findProbe,
  hasWordsDropped,
  isBare,
  linesOf,
  type Probe,
  plainText,
  readSummaryLines,
} from './probe-matching.ts';

export interface ProbeFile {
  readonly file?: string;
  readonly title?: string;
  readonly conversation?: readonly { role: 'user' | 'assistant'; text: string }[];
  readonly probes: readonly Probe[];
}

export interface ProbeResult {
  readonly weight: number;
  readonly summary: boolean;
  readonly context: boolean;
  readonly recalled: boolean;
  readonly outline: boolean;
  /** Whether it stands under a right heading; absent where it is not found or any will do. */
  readonly labelled?: boolean;
  readonly false: number;
}

export interface ProbedSession {
  readonly name: string;
  readonly tokens: number;
  readonly lines: number;
  readonly dropped: number;
  readonly bare: number;
  readonly results: readonly ProbeResult[];
}

const WINDOW = 200_000;
const ROUNDS = 8;

/** Compacts all but the last messages of a session, and looks for what a successor must know in what is left. */
export async function probeSession(
  file: string,
  { data, folder, keep }: { data: string; folder: string; keep: number },
): Promise<ProbedSession> {
  const name = path.basename(file, '.json');
  const probed: ProbeFile = JSON.parse(readFileSync(file, 'utf8'));
  await using store = await openStore(path.join(folder, name), { durability: 'normal' });
  const session = await openProbed(store, probed, data);
  const messages: (Entry & { body: Message })[] = [];
  for await (const entry of session.entries()) {
    const whole = await session.whole(entry);
    if (whole.body.kind === 'message') messages.push({ ...whole, body: whole.body });
  }
  await compactAll(session, keep);
  const info = await session.refresh();
  const build = async (question?: string) => {
    const { context } = await contextFor(store, info.id, { model: 'offline', window: WINDOW, question });
    const texts = context.messages.map(({ content }) =>
      typeof content === 'string' ? content : content.map((part) => partText({ ...part })).join('\n'),
    );
    return question && texts.at(-1)?.trim() === question.trim() ? texts.slice(0, -1) : texts;
  };
  const context = await build();
  const text = context
    .flatMap((one) => one.match(RECORD) ?? [])
    .join('\n')
    .replace(FRAME, '')
    .trim();
  const summary = readSummaryLines(text);
  const lines = summary.map(({ line }) => line);
  const covered = messages.filter(({ seq }) =>
    info.state.roots.some(({ from, to }) => seq >= from && seq <= to),
  );
  const outline = linesOf(outlineOf(covered, countText(text)));
  const source = messages
    .map(({ body }) => plainText(body.parts.map(partText).join('\n')))
    .join('\n\u0000\n');
  const results: ProbeResult[] = [];
  for (const probe of probed.probes) {
    const at = findProbe(lines, probe);
    const { under } = probe;
    results.push({
      weight: probe.weight ?? 1,
      summary: at.length > 0,
      context: findProbe(linesOf(context.join('\n')), probe).length > 0,
      recalled: findProbe(linesOf((await build(probe.ask)).join('\n')), probe).length > 0,
      outline: findProbe(outline, probe).length > 0,
      ...(under &&
        at.length > 0 && { labelled: at.some((n) => under.some((title) => summary[n]!.under.has(title))) }),
      false: falseLines(summary, probe).length,
    });
  }
  const prose = summary.filter(({ under }) => !under.has('files')).map(({ line }) => line);
  return {
    name,
    tokens: countText(text),
    lines: summary.length,
    dropped: prose.filter((line) => hasWordsDropped(line, source)).length,
    bare: prose.filter(isBare).length,
    results,
  };
}

const RECORD = /^\[Record [^\n]*\n[\s\S]*?\n\[End of record [^\n]*\]$/gm;
const FRAME = /^\[(?:Record|End of record)\b.*\]$/gm;

async function openProbed(
  store: Store,
  { file, title, conversation }: ProbeFile,
  data: string,
): Promise<Session> {
  if (conversation) {
    const entries = conversation.map(({ role, text }, n) => ({
      at: Date.UTC(2026, 0, 5, 9, 0) + n * 60_000,
      body: { kind: 'message' as const, role, parts: [{ type: 'text', text }] },
    }));
    return retell(store, title ?? 'conversation', entries);
  }
  const source = path.resolve(data, file!);
  const { size, mtimeMs } = statSync(source);
  const { reports } = await importFile(store, { path: source, named: true, size, mtimeMs });
  const session = await openSession(store, reports.toSorted((a, b) => b.messages - a.messages)[0]!.id);
  const entries: Entry[] = [];
  let isSummarised = false;
  for await (const entry of session.entries()) {
    if (entry.body.kind === 'compaction') isSummarised = true;
    if (entry.body.kind === 'message') entries.push(await session.whole(entry));
  }
  if (!isSummarised) return session;
  // Another agent's model summarised it once, and its words would be measured: the messages are told again without them.
  await session.close();
  return retell(
    store,
    'told again',
    entries.map(({ at, body }) => ({ at, body })),
  );
}

async function retell(
  store: Store,
  title: string,
  entries: readonly Pick<Entry, 'at' | 'body'>[],
): Promise<Session> {
  const session = await createSession(store, { title, agent: 'probe' }, { now: () => entries[0]?.at ?? 0 });
  for (let at = 0; at < entries.length; at += 200) await session.append(entries.slice(at, at + 200));
  return session;
}

/** A compaction stops at the newest turn; asking again goes on inside it. Where nothing could go, less is kept. */
async function compactAll(session: Session, keep: number): Promise<void> {
  let rounds = 0;
  for (const messages of new Set([keep, 2, 1])) {
    for (; rounds < ROUNDS; rounds++) {
      try {
        await compactSession(session, { settings: { ...PRESETS.balanced, keep: { messages } } });
      } catch (error) {
        if (isThroughlineError(error, 'nothing-to-compact') || isThroughlineError(error, 'summary-rejected'))
          break;
        throw error;
      }
    }
    if (rounds > 0) return;
  }
}

/** The beginning of each request and the end of each last answer, as many characters of each as fit. */
function outlineOf(covered: readonly { body: Message }[], tokens: number): string {
  const turns: { ask: string; answer: string }[] = [];
  for (const { body } of covered) {
    const text = body.parts
      .map((part) => (part.type === 'text' ? String(part.text ?? '') : ''))
      .join('\n')
      .replace(/\s+/g, ' ')
      .trim();
    if (body.role === 'user' && text) turns.push({ ask: text, answer: '' });
    else if (body.role === 'assistant' && text) {
      if (turns.length === 0) turns.push({ ask: '', answer: '' });
      turns.at(-1)!.answer = text;
    }
  }
  const write = (list: typeof turns, chars: number) =>
    list
      .map(
        ({ ask, answer }, n) =>
          `${n + 1}. user: ${ask.slice(0, chars)}${answer ? `\n   assistant: ${answer.slice(-chars)}` : ''}`,
      )
      .join('\n');
  const most = largest(4000, (chars) => countText(write(turns, chars)) <= tokens);
  if (most >= SHORTEST) return write(turns, most);
  const newest = largest(
    turns.length,
    (count) => countText(write(turns.slice(turns.length - count), SHORTEST)) <= tokens,
  );
  return write(turns.slice(turns.length - newest), SHORTEST);
}

const SHORTEST = 40;

function largest(most: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function partText(part: { readonly type: string; readonly [field: string]: unknown }): string {
  if (part.type === 'text' || part.type === 'reasoning') return String(part.text ?? '');
  if (part.type === 'tool-call') return stringsIn(part.input).join('\n');
  const output = part.output as { value?: unknown } | undefined;
  return part.type === 'tool-result' ? stringsIn(output?.value ?? output ?? part.result).join('\n') : '';
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
