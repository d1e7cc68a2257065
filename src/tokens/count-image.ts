import type { ImageSize } from './image-size.ts';

export type ImageProvider = 'anthropic' | 'openai' | 'google';

/** For a picture of unknown size: a full-HD screenshot. */
export const ASSUMED_SIZE: ImageSize = { width: 1920, height: 1080 };

/**
 * Tokens of a picture by its pixels, the way the provider's newest models count it in full detail. Without a provider
 * it is the most that any of them would count, so that a session can change its model.
 */
export function countImage({ width, height }: ImageSize, provider?: ImageProvider): number {
  const size = { width: pixels(width), height: pixels(height) };
  if (provider) return RULES[provider](size);
  return Math.max(...Object.values(RULES).map((rule) => rule(size)));
}

const RULES: Readonly<Record<ImageProvider, (size: ImageSize) => number>> = {
  /** Patches of 28 pixels after shrinking to 2,576 pixels on the long edge and 4,784 patches. */
  anthropic: (size) => {
    const edge = Math.min(1, 2576 / Math.max(size.width, size.height));
    return patches({ width: size.width * edge, height: size.height * edge }, { side: 28, most: 4784 });
  },
  /** Patches of 32 pixels, each 1.2 tokens; since GPT-5.6 nothing is shrunk, and more than 30,000 are refused. */
  openai: (size) => Math.ceil(patches(size, { side: 32, most: 30_000 }) * 1.2),
  /** 258 for each tile up to 2.5; from 3 on one price for every picture in the default resolution. */
  google: ({ width, height }) => {
    if (width <= 384 && height <= 384) return 1120;
    const side = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
    return Math.max(1120, 258 * Math.ceil(width / side) * Math.ceil(height / side));
  },
};

/** Pictures over the limit are shrunk until they are within it. */
function patches({ width, height }: ImageSize, { side, most }: { side: number; most: number }): number {
  return Math.min(most, Math.ceil(width / side) * Math.ceil(height / side));
}

/** Headers can claim anything; no provider takes more than this. */
function pixels(length: number): number {
  return Number.isFinite(length) ? Math.min(Math.max(1, Math.round(length)), 20_000) : ASSUMED_SIZE.width;
}
