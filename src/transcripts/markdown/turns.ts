import { addUsage, type Part, type Usage } from '../../record/index.ts';
import { fileName, outputText } from '../export/part-values.ts';
import type { OutgoingEntry } from '../transcript.ts';

/** A question and everything that was said until the next one. */
export interface Turn {
  readonly asked: OutgoingEntry;
  readonly question: string;
  readonly answer: string | undefined;
  readonly usage: Usage | undefined;
  readonly durationMs: number | undefined;
  readonly entries: readonly OutgoingEntry[];
}

export interface TurnOptions {
  /** Whether tool calls and their results are shown in the answer. */
  readonly tools?: boolean;
  /** Entries that stand between two turns, and not inside one. */
  readonly between?: (entry: OutgoingEntry) => boolean;
}

/** Entries that belong to no turn are given alone. */
export async function* turnsOf(
  entries: AsyncIterable<OutgoingEntry> | Iterable<OutgoingEntry>,
  options: TurnOptions = {},
): AsyncGenerator<Turn | OutgoingEntry> {
  let open: OutgoingEntry[] = [];
  for await (const entry of entries) {
    const { body } = entry;
    const asks = body.kind === 'message' && body.role === 'user';
    if (open.length > 0 && (asks || options.between?.(entry))) {
      yield toTurn(open, options);
      open = [];
    }
    const answers = open.length > 0 && body.kind === 'message' && body.role !== 'system';
    if (asks || answers) open.push(entry);
    else yield entry;
  }
  if (open.length > 0) yield toTurn(open, options);
}

function toTurn(entries: readonly OutgoingEntry[], options: TurnOptions): Turn {
  const [asked, ...answers] = entries;
  let usage: Usage | undefined;
  let durationMs: number | undefined;
  const texts: string[] = [];
  for (const { body } of answers) {
    if (body.kind !== 'message') continue;
    texts.push(...body.parts.flatMap((part) => sayPart(part, options)));
    if (body.usage) usage = usage ? addUsage(usage, body.usage) : body.usage;
    if (body.durationMs !== undefined) durationMs = (durationMs ?? 0) + body.durationMs;
  }
  const question =
    asked!.body.kind === 'message' ? asked!.body.parts.flatMap((part) => sayPart(part, options)) : [];
  const answer = answers.length === 0 ? undefined : texts.join('\n\n');
  return { asked: asked!, question: question.join('\n\n'), answer, usage, durationMs, entries };
}

function sayPart(part: Part, { tools = false }: TurnOptions): string[] {
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' && part.text !== '' ? [part.text] : [];
    case 'tool-call':
      return tools ? [quote(`**${String(part.toolName)}** ${JSON.stringify(part.input ?? {})}`)] : [];
    case 'tool-result': {
      const { text, failed } = outputText(part);
      return tools ? [quote(`**${String(part.toolName)}${failed ? ' failed' : ''}:** ${text}`)] : [];
    }
    case 'file':
    case 'image':
      return [`[${fileName(part)}]`];
    default:
      return [];
  }
}

function quote(text: string): string {
  return text.replace(/^/gm, '> ');
}
