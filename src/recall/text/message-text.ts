import { type BlobRef, isBlobRef, type Message, type Part } from '../../record/index.ts';

type Chunk = string | BlobRef;

const DEEPEST = 20;

/**
 * What of a message is looked up: what a person would see of it. Large values are fetched; one that is gone or damaged
 * is known by its preview.
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
  if (part.type === 'tool-call') {
    addValue(part.toolName, chunks);
    addValue(part.input, chunks);
  } else if (part.type === 'tool-result') {
    addOutput(part.output, chunks);
  } else if (!part.type.endsWith('reasoning')) {
    addValue(part.filename, chunks);
    if (typeof part.text === 'string' || isBlobRef(part.text)) addValue(part.text, chunks);
  }
}

function addOutput(output: unknown, chunks: Chunk[]): void {
  const { type, value, reason } = (output ?? {}) as Record<string, unknown>;
  if (typeof type !== 'string' || isBlobRef(output)) addValue(output, chunks);
  else if (type !== 'content' || !Array.isArray(value)) addValue(value ?? reason, chunks);
  else for (const item of value) addPart(asPart(item), chunks);
}

function asPart(item: unknown): Part {
  const type = (item as { type?: unknown } | null)?.type;
  return typeof type === 'string' ? (item as Part) : { type: 'text', text: item };
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
