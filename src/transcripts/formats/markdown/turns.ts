import { addUsage, type Usage } from '../../../record/index.ts';
import { type SayOptions, sayMessage } from '../../../text/index.ts';
import type { OutgoingEntry } from '../../transcript.ts';

/** A question and everything that was said until the next one. */
export interface MarkdownTurn {
  readonly asked: OutgoingEntry;
  readonly question: string;
  readonly answer: string | undefined;
  readonly usage: Usage | undefined;
  readonly durationMs: number | undefined;
  readonly entries: readonly OutgoingEntry[];
}

export interface MarkdownTurnOptions {
  /** Whether tool calls and their results are shown in the answer. */
  readonly tools?: boolean;
  /** Entries that stand between two turns, and not inside one. */
  readonly between?: (entry: OutgoingEntry) => boolean;
}

/** Entries that belong to no turn are given alone. */
export async function* turnsOf(
  entries: AsyncIterable<OutgoingEntry> | Iterable<OutgoingEntry>,
  options: MarkdownTurnOptions = {},
): AsyncGenerator<MarkdownTurn | OutgoingEntry> {
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

function toTurn(entries: readonly OutgoingEntry[], { tools = false }: MarkdownTurnOptions): MarkdownTurn {
  const wording = tools ? TOOLS : FILES;
  const [asked, ...answers] = entries;
  let usage: Usage | undefined;
  let durationMs: number | undefined;
  const texts: string[] = [];
  for (const { body } of answers) {
    if (body.kind !== 'message') continue;
    texts.push(sayMessage(body, wording));
    if (body.usage) usage = usage ? addUsage(usage, body.usage) : body.usage;
    if (body.durationMs !== undefined) durationMs = (durationMs ?? 0) + body.durationMs;
  }
  const question = asked!.body.kind === 'message' ? sayMessage(asked!.body, wording) : '';
  const answer = answers.length === 0 ? undefined : texts.filter(Boolean).join('\n\n');
  return { asked: asked!, question, answer, usage, durationMs, entries };
}

const FILES: SayOptions = {
  separator: '\n\n',
  file: ({ name, mediaType }) => `[${name ?? mediaType ?? 'file'}]`,
};
const TOOLS: SayOptions = {
  ...FILES,
  call: ({ name, input }) => quote(`**${name}** ${input}`),
  result: ({ name, output, failed }) => quote(`**${name}${failed ? ' failed' : ''}:** ${output}`),
};

function quote(text: string): string {
  return text.replace(/^/gm, '> ');
}
