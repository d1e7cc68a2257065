import { FORMATS, type Format } from '../formats.ts';
import type { TranscriptSource } from '../transcript.ts';
import { takeSample } from './tell-formats.ts';

/** Whose transcript a file is, by its content; `undefined` if it is none that is known. */
export async function detectFormat(source: TranscriptSource): Promise<Format | undefined> {
  const sample = await takeSample(source);
  return FORMATS.find(({ detect }) => detect(sample));
}
