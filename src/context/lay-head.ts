import { countText } from '../tokens/index.ts';
import type { ContextState, ContextTool, HeadPiece } from './context.ts';

export interface Head {
  readonly instructions: string;
  /** By name, in order; pieces of the same name are counted together. */
  readonly parts: ReadonlyMap<string, number>;
  readonly tokens: number;
  readonly bytes: number;
}

/** Bytes that a request has besides its parts. */
const FRAME = 100;
/** Tokens that join a piece to the one before it. */
const JOINT = 2;

const counted = new WeakMap<object, number>();

/** Head pieces and tools. System messages at the very beginning of the log belong to it, as the part `system`. */
export function layHead({ head, tools = [] }: ContextState, system: readonly string[]): Head {
  const pieces: HeadPiece[] = [
    ...head.filter(({ text }) => text !== ''),
    ...system.map((text) => ({ part: 'system', text })),
  ];
  const parts = new Map<string, number>(head.map(({ part }) => [part, 0]));
  const add = (part: string, tokens: number) => parts.set(part, (parts.get(part) ?? 0) + tokens);
  for (const piece of pieces) add(piece.part, countOnce(piece, () => countText(piece.text)) + JOINT);
  parts.delete('tools');
  add('tools', 0);
  for (const tool of tools) add('tools', countOnce(tool, () => countText(toolText(tool))) + JOINT);
  const instructions = pieces.map(({ text }) => text.toWellFormed()).join('\n\n');
  return {
    instructions,
    parts,
    tokens: [...parts.values()].reduce((sum, tokens) => sum + tokens, 0),
    bytes: tools.reduce((sum, tool) => sum + jsonBytes(tool), FRAME + jsonBytes(instructions)),
  };
}

function countOnce(key: object, count: () => number): number {
  let tokens = counted.get(key);
  if (tokens === undefined) {
    tokens = count();
    counted.set(key, tokens);
  }
  return tokens;
}

function toolText({ name, description, inputSchema }: ContextTool): string {
  return JSON.stringify({ name, description, inputSchema });
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
