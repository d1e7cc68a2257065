export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Pixels of a PNG, JPEG, GIF, WebP or BMP, read from its header. The first 64 KB of a file are enough except for a
 * JPEG with a longer preamble. Anything else, damaged or hostile bytes included, is `undefined`.
 */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of [png, jpeg, gif, webp, bmp]) {
    const size = read(view);
    if (size) return size.width > 0 && size.height > 0 ? size : undefined;
  }
  return undefined;
}

function png(view: DataView): ImageSize | undefined {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a)
    return undefined;
  // Apple's variant puts another chunk before the header chunk.
  const header = ascii(view, 12, 4) === 'CgBI' ? 28 : 12;
  if (view.byteLength < header + 12 || ascii(view, header, 4) !== 'IHDR') return undefined;
  return { width: view.getUint32(header + 4), height: view.getUint32(header + 8) };
}

function jpeg(view: DataView): ImageSize | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (isFrame(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    } else {
      const length = standsAlone(marker) ? 0 : view.getUint16(at + 2);
      if (length === 1 || (length === 0 && !standsAlone(marker))) return undefined;
      at += 2 + length;
    }
  }
  return undefined;
}

/** Every start-of-frame marker; C4, C8 and CC in the same range mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

function gif(view: DataView): ImageSize | undefined {
  if (view.byteLength < 10 || !/^GIF8[79]a$/.test(ascii(view, 0, 6))) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webp(view: DataView): ImageSize | undefined {
  if (view.byteLength < 30 || ascii(view, 0, 4) !== 'RIFF' || ascii(view, 8, 4) !== 'WEBP') return undefined;
  switch (ascii(view, 12, 4)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return undefined;
  }
}

function bmp(view: DataView): ImageSize | undefined {
  // Two letters are too little to tell a picture from text, so the size of its second header has to be right too.
  if (view.byteLength < 26 || ascii(view, 0, 2) !== 'BM') return undefined;
  const header = view.getUint32(14, true);
  if (header === 12) return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  if (header < 40 || header > 124) return undefined;
  // A negative height means that the rows are stored from the top.
  return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
}

function uint24(view: DataView, at: number): number {
  return view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
}

function ascii(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length));
}
