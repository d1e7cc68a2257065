import type { ImageSize } from '../../src/tokens/index.ts';

// The start of a picture in each format, as much as its size needs.

export function pngOf({ width, height }: ImageSize): Uint8Array {
  return bytes(33, (view) => {
    view.setUint32(0, 0x89504e47);
    view.setUint32(4, 0x0d0a1a0a);
    view.setUint32(8, 13);
    write(view, 12, 'IHDR');
    view.setUint32(16, width);
    view.setUint32(20, height);
  });
}

export function jpegOf({ width, height }: ImageSize, { preamble = 20 } = {}): Uint8Array {
  return bytes(preamble + 24, (view) => {
    view.setUint16(0, 0xffd8);
    view.setUint16(2, 0xffe0);
    view.setUint16(4, preamble);
    view.setUint16(4 + preamble, 0xffc2);
    view.setUint16(6 + preamble, 17);
    view.setUint16(9 + preamble, height);
    view.setUint16(11 + preamble, width);
  });
}

export function gifOf({ width, height }: ImageSize): Uint8Array {
  return bytes(13, (view) => {
    write(view, 0, 'GIF89a');
    view.setUint16(6, width, true);
    view.setUint16(8, height, true);
  });
}

export function webpOf({ width, height }: ImageSize, kind: 'VP8 ' | 'VP8L' | 'VP8X' = 'VP8X'): Uint8Array {
  return bytes(30, (view) => {
    write(view, 0, 'RIFF');
    write(view, 8, `WEBP${kind}`);
    if (kind === 'VP8 ') {
      view.setUint16(26, width, true);
      view.setUint16(28, height, true);
    } else if (kind === 'VP8L') {
      view.setUint8(20, 0x2f);
      view.setUint32(21, (width - 1) | ((height - 1) << 14), true);
    } else {
      view.setUint32(24, width - 1, true);
      view.setUint16(27, height - 1, true);
    }
  });
}

export function bmpOf({ width, height }: ImageSize): Uint8Array {
  return bytes(54, (view) => {
    write(view, 0, 'BM');
    view.setUint32(14, 40, true);
    view.setInt32(18, width, true);
    view.setInt32(22, height, true);
  });
}

function bytes(length: number, fill: (view: DataView) => void): Uint8Array {
  const all = new Uint8Array(length);
  fill(new DataView(all.buffer));
  return all;
}

function write(view: DataView, at: number, text: string): void {
  for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i));
}
