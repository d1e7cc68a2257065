import { hash } from 'node:crypto';
import type { Part } from '../record/index.ts';
import type { ContextTool } from './context.ts';
import { hashOf } from './part-facts.ts';
import type { Piece } from './piece.ts';

/**
 * One hash after the instructions and tools, and one after each message, each over everything before it. Two requests
 * share a prompt cache as far as these agree.
 */
export function prefixOf(
  instructions: string,
  tools: readonly ContextTool[] | undefined,
  pieces: readonly Piece[],
): string[] {
  let last = short(JSON.stringify([instructions, tools ?? []]));
  const prefix = [last];
  for (const piece of pieces) {
    last = linkOf(last, piece);
    prefix.push(last);
  }
  return prefix;
}

// The same message after the same beginning has the same hash, so a request that goes on from the last one adds few.
const links = new WeakMap<Part, { content: string; hash: string }>();

function linkOf(last: string, { role, parts }: Piece): string {
  let content = `${last} ${role}`;
  for (const part of parts) content += ` ${hashOf(part)}`;
  const [first] = parts;
  const known = first && links.get(first);
  if (known?.content === content) return known.hash;
  const hash = short(content);
  if (first) links.set(first, { content, hash });
  return hash;
}

/**
 * Where a later request stops being a continuation of an earlier one: 0 is the head, n the n-th message. `undefined` when
 * one is the beginning of the other.
 */
export function firstDifference(a: readonly string[], b: readonly string[]): number | undefined {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) if (a[index] !== b[index]) return index;
  return undefined;
}

function short(text: string): string {
  return hash('sha1', text, 'hex').slice(0, 16);
}
