import { type EntryBody, equalJson, isBlobRef, plainBody } from '../record/index.ts';

/**
 * True if an append repeats a stored entry. References are equal when they stand for the same value: their preview and token
 * count are made by their writer, and a newer version may count differently.
 */
export function sameBody(stored: EntryBody, again: EntryBody): boolean {
  return equalJson(withoutEstimates(plainBody(stored)), withoutEstimates(plainBody(again)));
}

function withoutEstimates(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isBlobRef(value)) return { $blob: value.$blob, as: value.as };
  if (Array.isArray(value)) return value.map(withoutEstimates);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withoutEstimates(field)]));
}
