import type { Part } from '../../record/index.ts';

/** What came for one part of an answer: a new part, or more text for one that is there. */
export interface PartDelta {
  /** The part's place in the answer. */
  readonly at: number;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Adds a delta to the parts of a growing answer. The same deltas in the same order always give the same parts. */
export function growParts(parts: Part[], { at, ...fields }: PartDelta): void {
  const known = parts[at];
  if (!known) parts[at] = fields;
  else if (typeof known.text !== 'string') parts[at] = { ...known, ...fields };
  else parts[at] = { ...known, ...fields, text: known.text + String(fields.text ?? '') };
}

/** The answer as it is written down: without places that nothing came for. */
export function saidParts(parts: readonly Part[]): Part[] {
  return parts.filter((part) => part !== undefined && !isEmpty(part));
}

/** Whether anything came that somebody could want to keep: not only the frame of an answer. */
export function saysAnything(parts: readonly Part[]): boolean {
  return parts.some((part) => part.type !== 'custom' && !(isText(part) && part.text === ''));
}

function isEmpty(part: Part): boolean {
  return isText(part) && part.text === '' && part.providerOptions === undefined;
}

const isText = ({ type }: Part) => type === 'text' || type === 'reasoning';
