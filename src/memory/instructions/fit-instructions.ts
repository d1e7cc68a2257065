import { countText } from '../../tokens/index.ts';
import type { InstructionFile } from './read-instructions.ts';

/** Tokens that instruction files may take in a context, unless somebody said otherwise. */
export const INSTRUCTION_TOKENS = 16_000;

export interface FittedInstructions {
  /** Every file word for word under its name, the outermost first. Empty when there are none. */
  readonly text: string;
  readonly tokens: number;
  readonly limit: number;
  readonly leftOut: readonly LeftOutFile[];
}

export interface LeftOutFile {
  readonly path: string;
  readonly tokens: number;
  /** `cut`: only its beginning is there. */
  readonly reason: 'cut' | 'over-budget' | NonNullable<InstructionFile['problem']>;
}

const LEAD = '# Project instructions';

/** The nearest file comes last and is kept first: what is closest to the work holds where two disagree. */
export function fitInstructions(
  files: readonly InstructionFile[],
  { limit = INSTRUCTION_TOKENS }: { limit?: number } = {},
): FittedInstructions {
  const leftOut: LeftOutFile[] = [];
  const texts: string[] = [];
  let room = limit - frameTokens();
  for (const file of files.toReversed()) {
    const { path, tokens, problem, sameAs, text } = file;
    if (problem) leftOut.unshift({ path, tokens, reason: problem });
    if (problem || sameAs !== undefined || text.trim() === '') continue;
    const block = blockOf(file);
    const cost = countText(`${block}\n\n`);
    if (cost > room) {
      leftOut.unshift({ path, tokens, reason: 'over-budget' });
      continue;
    }
    if (file.cut) leftOut.unshift({ path, tokens, reason: 'cut' });
    room -= cost;
    texts.unshift(block);
  }
  const over = leftOut.filter(({ reason }) => reason === 'over-budget').length;
  const missing = over > 0 ? [sayMissing(over)] : [];
  const text = texts.length + over === 0 ? '' : [LEAD, ...texts, ...missing].join('\n\n');
  return { text, tokens: text === '' ? 0 : countText(text), limit, leftOut };
}

function sayMissing(files: number): string {
  return `(${files} more instruction files are not shown: they are over the budget.)`;
}

const frameTokens = () => countText(`${LEAD}\n\n\n\n${sayMissing(1000)}`) + 10;

function blockOf({ name, text, cut }: InstructionFile): string {
  const end = cut ? '\n(The rest of this file is not shown: it is too large.)' : '';
  return `## From ${name}\n\n${text}${end}`;
}
