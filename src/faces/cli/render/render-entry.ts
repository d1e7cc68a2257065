import type { Entry, Message, Part } from '../../../record/index.ts';
import { readPart } from '../../../text/index.ts';
import { bold, cyan, dim, green, yellow } from '../terminal/paint.ts';
import { sayTime } from '../terminal/say.ts';
import { cutToWidth } from '../terminal/text-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { renderNote } from './render-note.ts';
import { type RenderOptions, renderPart } from './render-part.ts';

interface RenderedEntry {
  readonly text: string;
  /** Folded to single lines: no message, or one of tools alone. */
  readonly quiet: boolean;
}

/** An entry as people read it: a message with its speaker above, everything else as quiet lines. */
export function renderEntry({ seq, at, body }: Entry, options: RenderOptions): RenderedEntry {
  const mark = `${seq}  `;
  if (body.kind !== 'message') {
    const line = mark + renderNote(body);
    return { text: dim(options.full ? line : cutToWidth(line, options.width)), quiet: true };
  }
  if (options.full || !isOnlyTools(body))
    return { text: renderMessage({ seq, at, body }, options), quiet: false };
  const folded = { ...options, width: options.width - mark.length };
  const lines = shownParts(body).map((part) => renderPart(part, folded));
  return { text: dim(mark) + lines.join(`\n${' '.repeat(mark.length)}`), quiet: true };
}

const PAINT = { system: yellow, user: cyan, assistant: green, tool: dim } as const;

function renderMessage(
  { seq, at, body }: { seq: number; at: number; body: Message },
  options: RenderOptions,
): string {
  const { role, model, status } = body;
  const facts = [sayTime(at), model && visibleLine(model), status === 'interrupted' && 'interrupted'];
  const header = `${dim(String(seq))}  ${PAINT[role](bold(role))}  ${dim(facts.filter(Boolean).join('  '))}`;
  return [header, ...shownParts(body).map((part) => renderPart(part, options))].join('\n');
}

/** Without the notes that a provider keeps for itself. */
function shownParts({ parts }: Message): Part[] {
  return parts.filter((part) => readPart(part).kind !== 'note');
}

function isOnlyTools(message: Message): boolean {
  const parts = shownParts(message);
  return parts.length > 0 && parts.every((part) => ['call', 'result'].includes(readPart(part).kind));
}
