const SLAB = 256 * 1024;
/** A code unit takes three bytes at most. */
const MOST = 3;

let slab = Buffer.allocUnsafeSlow(0);
let used = 0;

/**
 * Text as UTF-8. Texts of usual length lie side by side in a slab: asking how long one will be and making room for it alone
 * takes as long as writing it. A slab is forgotten with the last text in it.
 */
export function toBytes(text: string): Uint8Array {
  const most = text.length * MOST;
  if (most > SLAB / 2) return Buffer.from(text, 'utf8');
  if (used + most > slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB);
    used = 0;
  }
  const start = used;
  used += slab.write(text, start, 'utf8');
  return slab.subarray(start, used);
}
