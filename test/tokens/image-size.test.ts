import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageSize } from '../../src/tokens/index.ts';
import { bmpOf, gifOf, jpegOf, pngOf, webpOf } from './pictures.ts';

const size = { width: 640, height: 481 };
const pictures: [string, Uint8Array][] = [
  ['PNG', pngOf(size)],
  ['JPEG', jpegOf(size)],
  ['JPEG with a long preamble', jpegOf(size, { preamble: 60_000 })],
  ['GIF', gifOf(size)],
  ['lossy WebP', webpOf(size, 'VP8 ')],
  ['lossless WebP', webpOf(size, 'VP8L')],
  ['extended WebP', webpOf(size, 'VP8X')],
  ['BMP', bmpOf(size)],
  ['BMP stored from the top', bmpOf({ width: 640, height: -481 })],
];

describe('the size of a picture', () => {
  it.each(pictures)('is read from the header of a %s', (_, bytes) => {
    expect(imageSize(bytes)).toEqual(size);
  });

  it.each(pictures)('is read from bytes in the middle of a buffer: %s', (_, bytes) => {
    const buffer = new Uint8Array(bytes.length + 14).fill(0xff);
    buffer.set(bytes, 7);
    expect(imageSize(buffer.subarray(7, 7 + bytes.length))).toEqual(size);
  });

  it.each(pictures)('is unknown when the header of a %s is cut short', (_, bytes) => {
    for (let length = 0; length < 10; length++) {
      expect(imageSize(bytes.subarray(0, length))).toBeUndefined();
    }
  });

  it('is unknown for a picture without pixels and for anything else', () => {
    expect(imageSize(pngOf({ width: 0, height: 9 }))).toBeUndefined();
    expect(
      imageSize(new TextEncoder().encode('BMW, GIF and RIFF are only letters here, as it were.')),
    ).toBeUndefined();
  });

  it('survives anything: headers of any format with random bytes behind them', () => {
    const starts = pictures.map(([, bytes]) => bytes.subarray(0, 12));
    const hostile = fc
      .tuple(fc.constantFrom(...starts, new Uint8Array()), fc.uint8Array({ maxLength: 400 }))
      .map(([start, rest]) => Uint8Array.from([...start, ...rest]));
    fc.assert(
      fc.property(hostile, (bytes) => {
        const found = imageSize(bytes);
        if (found) expect(found.width * found.height).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('ends on a JPEG that never gets to its frame', () => {
    const endless = new Uint8Array(1_000_000).fill(0xff);
    endless[1] = 0xd8;
    expect(imageSize(endless)).toBeUndefined();
    expect(imageSize(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0]))).toBeUndefined();
  });
});
