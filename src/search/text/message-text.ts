import { type BlobRef, isBlobRef, type Message, type Part } from '../../record/index.ts';
import { readPart } from '../../text/index.ts';

type Chunk = string | BlobRef;

const DEEPEST = 20;

/**
 * The searchable text of a message: the text that a person sees of it. Large values are fetched; one that is gone or
 * damaged is given by its preview.
 */
export async function messageText(
  message: Message,
  readBlob: (hash: string) => Promise<Uint8Array>,
): Promise<string> {
  const chunks: Chunk[] = [];
  for (const part of message.parts) addPart(part, chunks);
  const texts: string[] = [];
  for (const chunk of chunks) texts.push(typeof chunk === 'string' ? chunk : await fetched(chunk, readBlob));
  return texts.join('\n');
}

function addPart(part: Part, chunks: Chunk[]): void {
  const piece = readPart(part);
  switch (piece.kind) {
    case 'said':
      addText(piece.text, chunks);
      break;
    case 'call':
      addValue(piece.name, chunks);
      addValue(piece.input, chunks);
      break;
    case 'result':
      if (piece.parts) for (const item of piece.parts) addPart(item, chunks);
      else addValue(piece.output, chunks);
      break;
    case 'file':
      addText(piece.name, chunks);
      break;
    case 'other':
      addText(part.filename, chunks);
      addText(part.text, chunks);
  }
}

function addText(text: unknown, chunks: Chunk[]): void {
  if (typeof text === 'string' || isBlobRef(text)) chunks.push(text);
}

/** Every text and number in a value. Field names are left out: they are the tool's words, not the conversation's. */
function addValue(value: unknown, chunks: Chunk[], depth = 0): void {
  if (typeof value === 'string') chunks.push(value);
  else if (typeof value === 'number') chunks.push(String(value));
  else if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  else if (isBlobRef(value)) chunks.push(value);
  else for (const item of Object.values(value)) addValue(item, chunks, depth + 1);
}

async function fetched(ref: BlobRef, readBlob: (hash: string) => Promise<Uint8Array>): Promise<string> {
  if (ref.as === 'bytes' || ref.as === 'base64') return '';
  try {
    const text = Buffer.from(await readBlob(ref.$blob)).toString('utf8');
    if (ref.as === 'text') return text;
    const chunks: Chunk[] = [];
    addValue(JSON.parse(text), chunks);
    return chunks.filter((chunk) => typeof chunk === 'string').join('\n');
  } catch {
    return ref.preview;
  }
}
