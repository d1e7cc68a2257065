/** Made one long, in place; all zero stays all zero. */
export function toUnit(vector: Float32Array): Float32Array {
  const length = lengthOf(vector);
  for (let k = 0; k < vector.length; k++) vector[k]! /= length;
  return vector;
}

/** As int8, which loses nothing that could be measured and is a quarter of the size. Empty for all zero. */
export function quantize(vector: Float32Array): Int8Array {
  let most = 0;
  for (let k = 0; k < vector.length; k++) most = Math.max(most, Math.abs(vector[k]!));
  if (most === 0) return new Int8Array(0);
  const row = new Int8Array(vector.length);
  const scale = 127 / most;
  // Adding a half before the rest is cut off rounds; the offset keeps that from going the other way below zero.
  for (let k = 0; k < vector.length; k++) row[k] = ((vector[k]! * scale + 128.5) | 0) - 128;
  return row;
}

/** 1 for all zero, so that it can be divided by. */
export function lengthOf(vector: Int8Array | Float32Array): number {
  let square = 0;
  for (let k = 0; k < vector.length; k++) square += vector[k]! * vector[k]!;
  return Math.sqrt(square) || 1;
}
