import { countText } from '../tokens/index.ts';
import type { Recalled } from './context.ts';
import { cutText } from './cut-text.ts';
import { labelRecall } from './label-text.ts';
import { notePiece, type Piece } from './piece.ts';

const LEAST = 24;

/**
 * What was found for the newest question, best first, as far as the budget goes. It stands directly before the question:
 * everything older stays as it was, and the question stays last.
 */
export function recallPiece(
  recall: readonly Recalled[],
  maxTokens: number,
): { piece: Piece | undefined; unused: readonly Recalled[] } {
  let left = maxTokens - notePiece('recall', labelRecall('')).tokens;
  const lines: string[] = [];
  let used = 0;
  for (const { entry, seq, role, text } of recall) {
    const label = `- entry ${entry}, number ${seq}, ${role}: `;
    const room = left - countText(label) - 2;
    const shown = room < LEAST ? undefined : cutText(text.toWellFormed(), { maxTokens: room, note: '[…]' });
    if (shown === undefined) break;
    lines.push(label + shown);
    left -= countText(label + shown) + 2;
    used++;
  }
  const piece = lines.length === 0 ? undefined : notePiece('recall', labelRecall(lines.join('\n')));
  if (!piece || piece.tokens <= maxTokens) return { piece, unused: recall.slice(used) };
  return { piece: undefined, unused: recall };
}
